; A thread sees its own stores: it reads places that it has written, with a distance that LLVM does not know. Nothing is said of
; the order of different threads.
; RUN: %forms k n=0 | %check --check-prefix=SAME
; RUN: %forms k n=1 | %check --check-prefix=SAME
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %base = mul i32 %b, %w
  %g = add i32 %base, %t
  %out.g = getelementptr i32, ptr %out, i32 %g
  %in.g = getelementptr i32, ptr %in, i32 %g
  %g2 = shl i32 %g, 1
  %p = getelementptr i32, ptr %in, i32 %g2
  %u = load i32, ptr %p
  %q.at = add i32 %g2, %n
  %q = getelementptr i32, ptr %in, i32 %q.at
  %u7 = add i32 %u, 7
  store i32 %u7, ptr %q
  %o.at = add i32 %g2, 1
  %o = getelementptr i32, ptr %in, i32 %o.at
  %second = load i32, ptr %o
  %r = add i32 %u, %second
  store i32 %r, ptr %out.g
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
