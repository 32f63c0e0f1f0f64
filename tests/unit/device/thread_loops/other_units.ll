; With -rdc=true a function of another translation unit may wait.
; RUN: %passes --rdc --until=makeThreadLoops --explain 2>&1 >/dev/null | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: k has a fiber per thread: it calls {{.*}}other
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  call void @_Z5otherv()
  ret void
}
declare void @_Z5otherv()
