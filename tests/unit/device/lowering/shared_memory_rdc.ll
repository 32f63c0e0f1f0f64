; A shared variable of a function that other translation units may call has a place in each block that the runtime finds;
; one of a kernel has its offset.
; RUN: %passes --rdc --only=collectKernels,lowerSharedMemory | %check
@exported = internal addrspace(3) global [6 x i32] undef, align 16
@own = internal addrspace(3) global i32 undef, align 4

; CHECK: @__hwd_shared.exported = internal constant { i64, i64 } { i64 24, i64 16 }
; CHECK-LABEL: define void @library(
; CHECK: call ptr @hw_shared_object_address(ptr @__hwd_shared.exported)
define void @library() {
  store i32 1, ptr addrspace(3) @exported
  ret void
}

; CHECK-LABEL: define ptx_kernel void @k(
; CHECK-NOT: hw_shared_object_address
; CHECK: ret void
define ptx_kernel void @k() {
  store i32 1, ptr addrspace(3) @own
  call void @library()
  ret void
}
; CHECK: ; k.staticSharedBytes: 4
