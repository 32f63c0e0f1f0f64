; Values of lanes, of warps and of blocks that are needed behind collectives and barriers.
; RUN: %forms k block=96 | %check --check-prefix=SAME
; RUN: %forms k block=8,8 | %check --check-prefix=SAME
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
  %own = alloca [3 x i32]
  %flag = icmp ugt i32 %v, 300
  %quotient = sdiv i32 %v, 3
  %common = sdiv i32 1000, %n
  %turn = urem i32 %v, 3
  %e = getelementptr [3 x i32], ptr %own, i32 0, i32 %turn
  %e0 = getelementptr [3 x i32], ptr %own, i32 0, i32 0
  store i32 5, ptr %e0
  store i32 %v, ptr %e
  %third = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %v, i32 3, i32 31)
  call void @llvm.nvvm.barrier0()
  %other = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %quotient, i32 1, i32 31)
  %z = load i32, ptr %e0
  %f = zext i1 %flag to i32
  %r1 = add i32 %third, %other
  %r2 = add i32 %r1, %z
  %r3 = shl i32 %r2, %f
  %r4 = xor i32 %r3, %common
  store i32 %r4, ptr %out.g
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier0()
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
