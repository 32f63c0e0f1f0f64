; Which lanes have the same number, of 32 and of 64 bits, and whether all have: in whole warps, parts of one, and rows.
; RUN: %forms k block=64 grid=2 | %check --check-prefix=SAME
; RUN: %forms k block=40 grid=2 | %check --check-prefix=SAME
; RUN: %forms k block=8,8 grid=2 | %check --check-prefix=SAME
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %width = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %height = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %row = mul i32 %y, %width
  %t = add i32 %row, %x
  %w = mul i32 %width, %height
  %base = mul i32 %b, %w
  %g = add i32 %base, %t
  %out.g = getelementptr i32, ptr %out, i32 %g
  %in.g = getelementptr i32, ptr %in, i32 %g
  %v = load i32, ptr %in.g
  %signed = sub i32 %v, 500
  %flag = alloca i32
  %few = and i32 %v, 3
  %few64 = zext i32 %few to i64
  %r0 = call i32 @hw_match_any(i32 -1, i64 %few64)
  %m0 = mul i32 %r0, 3
  %high = shl i64 %few64, 40
  %five = urem i32 %t, 5
  %five64 = zext i32 %five to i64
  %both = or i64 %high, %five64
  %r1 = call i32 @hw_match_any(i32 -1, i64 %both)
  %m1 = mul i32 %r1, 5
  %bit = and i32 %b, 1
  %block = zext i32 %bit to i64
  %r2 = call i32 @hw_match_all(i32 -1, i64 %block, ptr %flag)
  %f2 = load i32, ptr %flag
  %m2 = mul i32 %r2, 7
  %r3 = call i32 @hw_match_all(i32 -1, i64 %both, ptr %flag)
  %f3 = load i32, ptr %flag
  %m3 = mul i32 %r3, 9
  %f = mul i32 %f2, 100
  %g3 = mul i32 %f3, 1000
  %x0 = xor i32 %m0, %m1
  %x1 = add i32 %x0, %m2
  %x2 = xor i32 %x1, %m3
  %x3 = add i32 %x2, %f
  %x4 = add i32 %x3, %g3
  store i32 %x4, ptr %out.g
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @hw_match_any(i32, i64)
declare i32 @hw_match_all(i32, i64, ptr)
