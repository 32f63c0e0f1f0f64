; An address in the running thread's state, which may be read as another thread's: a field of it that the kernel chooses.
; RUN: %passes --until=makeThreadLoops --explain 2>&1 >/dev/null | %check
; RUN: %forms k whole=no | %check --check-prefix=SAME
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: k has a fiber per thread: it keeps the address of the running thread
; SAME: equal: threads random{{$}}
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  %self = call ptr @hw_self()
  %c = icmp sgt i32 %n, 3
  %y = getelementptr i8, ptr %self, i64 4
  %field = select i1 %c, ptr %self, ptr %y
  %i = load volatile i32, ptr %field
  %o = getelementptr i32, ptr %out, i32 %i
  store i32 %n, ptr %o
  ret void
}
declare ptr @hw_self()
