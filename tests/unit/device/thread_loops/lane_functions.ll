; With -rdc=true, functions that other units may call have one for several threads at once, and calls of other units'
; functions name theirs. Those with variables of their own, and those that take structures, have none.
; RUN: %passes --rdc --until=makeThreadLoops | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @__hwd_block.k(
; CHECK: call float @__hwd__Z5otherfb({{.*}}) {{.*}}"hostwarp.lanes"(ptr @__hwd_lanes.__hwd__Z5otherfb) ]
; CHECK: call fastcc i32 @__hwd_inside({{.*}}) {{.*}}"hostwarp.lanes"(ptr @__hwd_lanes.__hwd_inside) ]
@counter = addrspace(1) global i32 0

define ptx_kernel void @k(ptr %out, ptr %in) {
  %v = load float, ptr %in, align 4
  %b = fcmp olt float %v, 1.0
  %r = call float @_Z5otherfb(float %v, i1 %b)
  store float %r, ptr %out, align 4
  %bits = bitcast float %v to i32
  %i = call i32 @inside(i32 %bits)
  store i32 %i, ptr %in, align 4
  ret void
}
; CHECK: declare extern_weak hidden void @__hwd_lanes.__hwd__Z5otherfb(i32, ptr, ptr, ptr, ptr)
declare float @_Z5otherfb(float, i1)

; CHECK-LABEL: define internal void @__hwd_lanes.__hwd_inside(
; CHECK: %[[COUNT:.+]] = call i64 @hw_lane_count()
; CHECK: lshr i32 %0,
; CHECK: icmp ult i64 %{{.+}}, %[[COUNT]]
define internal i32 @inside(i32 %a) noinline {
  %f = load volatile i32, ptr addrspace(1) @counter
  %r = add i32 %a, %f
  ret i32 %r
}

; CHECK-LABEL: define hidden void @__hwd_lanes.__hwd_offered(i32 %0, ptr noalias %1, ptr noalias %2, ptr noalias %3)
define i1 @offered(i32 %a) {
  %c = icmp sgt i32 %a, 5
  ret i1 %c
}

; CHECK-NOT: @__hwd_lanes.__hwd_local
define i32 @local(i32 %a) {
  %own = alloca [4 x i32]
  %at = getelementptr i32, ptr %own, i32 %a
  store volatile i32 %a, ptr %at
  %r = load volatile i32, ptr %own
  ret i32 %r
}

; CHECK-NOT: @__hwd_lanes.__hwd_structures
define void @structures(ptr byval([2 x i32]) %a) {
  ret void
}

; CHECK-NOT: @__hwd_lanes.__hwd_waits
define void @waits() noinline optnone {
  call void @llvm.nvvm.barrier0()
  ret void
}
declare void @llvm.nvvm.barrier0()

; Another unit may have the code that counts.
; CHECK-NOT: @__hwd_lanes.__hwd_replaced
define weak i32 @replaced(i32 %a) {
  %r = add i32 %a, 1
  ret i32 %r
}
