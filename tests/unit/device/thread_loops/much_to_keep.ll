; More for each thread than the frame has.
; RUN: %passes --until=makeThreadLoops --explain 2>&1 >/dev/null | %check
; RUN: %forms k whole=no | %check --check-prefix=SAME
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: k has a fiber per thread: it has {{[0-9]+}} bytes to keep for each thread, more than 16384
; SAME: equal: threads random{{$}}
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  %own = alloca [5000 x i32]
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %e = getelementptr [5000 x i32], ptr %own, i32 0, i32 %t
  store volatile i32 %t, ptr %e
  call void @llvm.nvvm.barrier0()
  %u = load volatile i32, ptr %e
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %u, ptr %o
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
