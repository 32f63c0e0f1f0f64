; A function that is not inlined and has a waiting loop.
; RUN: %passes --until=makeThreadLoops --explain 2>&1 >/dev/null | %check
; RUN: %forms k whole=no | %check --check-prefix=SAME
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: k has a fiber per thread: {{.*}}wait, which was not inlined, has a waiting loop
; SAME: equal: threads random{{$}}
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  call void @wait(ptr %out)
  ret void
}
define internal void @wait(ptr %p) noinline {
entry:
  br label %spin
spin:
  %seen = load volatile i32, ptr %p
  %there = icmp ne i32 %seen, 0
  br i1 %there, label %end, label %spin
end:
  ret void
}
