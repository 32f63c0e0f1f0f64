; A kernel that may print runs thread by thread: a block that is run again must not print twice.
; RUN: %passes --until=makeThreadLoops --explain 2>&1 >/dev/null | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: k has a fiber per thread: it may print
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  %c = call i32 @vprintf(ptr @format, ptr null)
  ret void
}
@format = private constant [2 x i8] c"x\00"
declare i32 @vprintf(ptr, ptr)
