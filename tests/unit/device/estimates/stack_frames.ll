; Local memory is what the deepest path of calls needs; recursion counts once. What is called by others on the same stack
; counts, too.
; RUN: %passes --only=collectKernels,makeKernelEntries,measureStackFrames | %check
; CHECK: ; deep.localBytes: 480
; CHECK: ; deep.spillBytes: {{[1-9][0-9]*}}
define ptx_kernel void @deep(ptr %p) {
  %own = alloca [20 x i32]
  call void @small(ptr %own)
  call void @large(ptr %own)
  ret void
}
define void @small(ptr %p) {
  %a = alloca [10 x i32]
  ret void
}
define void @large(ptr %p) {
  %a = alloca [100 x i32]
  call void @large(ptr %a)
  ret void
}
; CHECK: ; together.localBytes: 64
define ptx_kernel void @together(ptr %p) {
  call void @hw_warp_together(i32 -1, ptr %p, ptr @work)
  ret void
}
define void @work(ptr %lanes) {
  %a = alloca [16 x i32]
  ret void
}
declare void @hw_warp_together(i32, ptr, ptr)

; A function for several threads that calls itself has room for many levels.
; CHECK: ; recursive.spillBytes: 52{{[4-9][0-9][0-9][0-9]}}
define ptx_kernel void @recursive(ptr %p) {
  call void @__hwd_lanes.sort(i32 -1, ptr %p, ptr %p)
  ret void
}
define void @__hwd_lanes.sort(i32 %lanes, ptr %threads, ptr %values) {
  call void @__hwd_lanes.sort(i32 %lanes, ptr %threads, ptr %values)
  ret void
}
