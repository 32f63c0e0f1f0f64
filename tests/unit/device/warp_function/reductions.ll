; All operations of a reduction, over numbers of both signs.
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
  %r0 = call i32 @hw_warp_reduce(i32 -1, i32 0, i32 %signed)
  %m0 = mul i32 %r0, 1
  %r1 = call i32 @hw_warp_reduce(i32 -1, i32 1, i32 %signed)
  %m1 = mul i32 %r1, 3
  %r2 = call i32 @hw_warp_reduce(i32 -1, i32 2, i32 %signed)
  %m2 = mul i32 %r2, 5
  %r3 = call i32 @hw_warp_reduce(i32 -1, i32 3, i32 %signed)
  %m3 = mul i32 %r3, 7
  %r4 = call i32 @hw_warp_reduce(i32 -1, i32 4, i32 %signed)
  %m4 = mul i32 %r4, 9
  %r5 = call i32 @hw_warp_reduce(i32 -1, i32 5, i32 %signed)
  %m5 = mul i32 %r5, 11
  %r6 = call i32 @hw_warp_reduce(i32 -1, i32 6, i32 %signed)
  %m6 = mul i32 %r6, 13
  %r7 = call i32 @hw_warp_reduce(i32 -1, i32 7, i32 %signed)
  %m7 = mul i32 %r7, 15
  %x0 = xor i32 %m0, %m1
  %x1 = xor i32 %x0, %m2
  %x2 = xor i32 %x1, %m3
  %x3 = xor i32 %x2, %m4
  %x4 = xor i32 %x3, %m5
  %x5 = xor i32 %x4, %m6
  %x6 = xor i32 %x5, %m7
  store i32 %x6, ptr %out.g
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @hw_warp_reduce(i32, i32, i32)
