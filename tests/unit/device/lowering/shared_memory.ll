; Shared variables lie behind each other, in the program's order; those of different kernels overlap; one that two
; kernels reach has one place, behind all that both have. Dynamic arrays begin where that memory does.
; RUN: %passes --only=collectKernels,lowerSharedMemory | %check
@bytes = internal addrspace(3) global [3 x i8] undef, align 1
@words = internal addrspace(3) global [5 x i32] undef, align 16
@alone = internal addrspace(3) global i64 undef, align 8
@both = internal addrspace(3) global i32 undef, align 4
@dynamic = external addrspace(3) global [0 x double], align 128
@unused = internal addrspace(3) global [100 x i32] undef, align 4

; CHECK-NOT: addrspace(3) global
; bytes: 0 to 3, words: 16 to 36, both: 36 to 40, also in the second kernel, whose own variable ends at 8.
; CHECK-LABEL: define ptx_kernel void @first(
; CHECK-DAG: getelementptr i8, ptr %{{.+}}, i64 16
; CHECK-DAG: getelementptr i8, ptr %{{.+}}, i64 0
; CHECK: ret void
define ptx_kernel void @first() {
  store i8 1, ptr addrspace(3) @bytes
  store i32 1, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @words, i64 8)
  call void @helper()
  ret void
}

; CHECK-LABEL: define ptx_kernel void @second(
define ptx_kernel void @second() {
  store i64 1, ptr addrspace(3) @alone
  store double 1.0, ptr addrspace(3) @dynamic
  call void @helper()
  ret void
}

; CHECK-LABEL: define void @helper(
; CHECK: getelementptr i8, ptr %{{.+}}, i64 36
define void @helper() {
  store i32 1, ptr addrspace(3) @both
  ret void
}

; CHECK: ; kernel first
; CHECK: ; first.staticSharedBytes: 40
; CHECK: ; first.sharedAlignment: 16
; CHECK: ; kernel second
; CHECK-NEXT: ; second.flag: HW_KERNEL_DYNAMIC_SHARED
; CHECK: ; second.staticSharedBytes: 40
; CHECK: ; second.sharedAlignment: 128
