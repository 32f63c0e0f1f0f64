; A number that is the same for all lanes only as long as a division does not tell them apart is divided by what all share,
; which may be negative: nothing is assumed of that divisor.
; RUN: %forms k block=64 n=-3 | %check --check-prefix=SAME
; RUN: %forms k block=64 n=-1 | %check --check-prefix=SAME
; RUN: %forms k block=64 n=7 | %check --check-prefix=SAME
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline

define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = sdiv i32 %t, 32
  %wide = sext i32 %x to i64
  %in.x = getelementptr i32, ptr %in, i64 %wide
  %v = load i32, ptr %in.x
  %q = sdiv i32 %x, %n
  %r = srem i32 %x, %n
  %q9 = mul i32 %q, 9
  %qr = add i32 %q9, %r
  %sum = add i32 %v, %qr
  %out.t = getelementptr i32, ptr %out, i32 %t
  store i32 %sum, ptr %out.t
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
