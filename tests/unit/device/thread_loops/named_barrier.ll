; A barrier with a name is a boundary like any other.
; RUN: %forms k | %check --check-prefix=SAME
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  call void @llvm.nvvm.barrier.n(i32 3)
  ret void
}
declare void @llvm.nvvm.barrier.n(i32)
