; At -O0 the threads run as they are written.
; RUN: %passes -O0 --until=makeThreadLoops | %check
; RUN: %passes -O1 --until=makeThreadLoops | %check --check-prefix=ONE
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-NOT: __hwd_block
; ONE: define internal void @__hwd_block.k(
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  ret void
}
