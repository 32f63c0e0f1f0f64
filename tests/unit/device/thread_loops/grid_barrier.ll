; A barrier of the grid is a boundary; the runtime waits there for the other blocks when all warps have come.
; RUN: %passes --until=makeThreadLoops | %check
; RUN: %passes --until=makeThreadLoops --explain 2>&1 >/dev/null | %check --check-prefix=WHY
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: @__hwd_block.k.boundaries = {{.*}} { i32 14, i32 0,
; CHECK-LABEL: define internal void @__hwd_block.k(
; CHECK: call i32 @hw_open_waits(ptr @__hwd_block.k.plan, ptr %{{.+}}, i32 0)
; WHY-NOT: k has
; WHY: early has a fiber per thread: it arrives at a barrier of the grid or the cluster, and has a waiting loop
; WHY-NOT: {{^}}k has
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  call void @hw_grid_sync()
  ret void
}
; Between the arrival and the wait another block may be waited for.
define ptx_kernel void @early(ptr %out, ptr %in, i32 %n) {
entry:
  call void @hw_grid_arrive()
  br label %spin
spin:
  %v = load volatile i32, ptr %in
  %c = icmp eq i32 %v, 0
  br i1 %c, label %spin, label %wait
wait:
  call void @hw_grid_wait()
  ret void
}
declare void @hw_grid_sync()
declare void @hw_grid_arrive()
declare void @hw_grid_wait()
