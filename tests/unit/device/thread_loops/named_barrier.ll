; A barrier with a name is not for the whole block.
; RUN: %passes --until=makeThreadLoops --explain 2>&1 >/dev/null | %check
; RUN: %forms k whole=no | %check --check-prefix=SAME
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: k has a fiber per thread: it calls hw_barrier
; SAME: equal: threads random{{$}}
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  call void @llvm.nvvm.barrier.n(i32 3)
  ret void
}
declare void @llvm.nvvm.barrier.n(i32)
