; A call by an address may wait.
; RUN: %passes --until=makeThreadLoops --explain 2>&1 >/dev/null | %check
; RUN: %forms k whole=no | %check --check-prefix=SAME
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: k has a fiber per thread: it calls functions by their addresses
; SAME: equal: threads random{{$}}
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  %c = icmp sgt i32 %n, 3
  %f = select i1 %c, ptr @one, ptr @other
  call void %f(ptr %out)
  ret void
}
define internal void @one(ptr %p) noinline {
  store volatile i32 1, ptr %p
  ret void
}
define internal void @other(ptr %p) noinline {
  store volatile i32 2, ptr %p
  ret void
}
