; Shuffles of all kinds, votes and reductions by whole warps, by a warp that is not whole, and by warps across rows.
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
  %a = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %v, i32 5, i32 31)
  %c = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %a, i32 3, i32 0)
  %d = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %v, i32 2, i32 6175)
  %e = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %c, i32 7, i32 31)
  %odd = and i32 %v, 1
  %p = icmp ne i32 %odd, 0
  %ballot = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %p)
  %all = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %p)
  %any = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %p)
  %uni = call i1 @llvm.nvvm.vote.uni.sync(i32 -1, i1 %p)
  %sum = call i32 @hw_warp_reduce(i32 -1, i32 0, i32 %v)
  %min = call i32 @hw_warp_reduce(i32 -1, i32 1, i32 %d)
  %v64 = zext i32 %odd to i64
  %match = call i32 @hw_match_any(i32 -1, i64 %v64)
  %r1 = xor i32 %c, %d
  %r2 = add i32 %r1, %e
  %r3 = xor i32 %r2, %ballot
  %all32 = zext i1 %all to i32
  %any32 = zext i1 %any to i32
  %uni32 = zext i1 %uni to i32
  %r4 = add i32 %r3, %all32
  %r5 = add i32 %r4, %any32
  %r6 = add i32 %r5, %uni32
  %r7 = add i32 %r6, %sum
  %r8 = xor i32 %r7, %min
  %r9 = xor i32 %r8, %match
  %always = icmp ult i32 %v, 5000
  %all.of.all = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %always)
  %uni.of.all = call i1 @llvm.nvvm.vote.uni.sync(i32 -1, i1 %always)
  %both = and i1 %all.of.all, %uni.of.all
  %r10 = select i1 %both, i32 %r9, i32 -2
  store i32 %r10, ptr %out.g
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.up.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i1 @llvm.nvvm.vote.all.sync(i32, i1)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare i1 @llvm.nvvm.vote.uni.sync(i32, i1)
declare i32 @hw_match_any(i32, i64)
declare i32 @hw_warp_reduce(i32, i32, i32)
