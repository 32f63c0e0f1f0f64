; Lanes that come to one collective together with different masks, each group its own: even lanes among themselves, odd ones
; among theirs. Sums and votes are the groups'; a shuffle within a group may be done by all at once.
; RUN: %forms k block=64 print=4 | %check --check-prefix=SAME
; RUN: %forms k block=8,8 print=4 | %check --check-prefix=SAME
; RUN: %passes --until=makeThreadLoops | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline
; The sums are 240 and 256, the ballots of the lanes below 5 0x15 and 0xa, and all odd lanes are odd.
; SAME-NEXT: out: 33615893 51445770 61461 17891338

; CHECK-LABEL: define internal void @__hwd_block.k(
; CHECK: call i32 @hw_lanes_shuffle.i32(
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
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %odd = and i32 %lane, 1
  %is.odd = icmp ne i32 %odd, 0
  %mask = select i1 %is.odd, i32 -1431655766, i32 1431655765
  %sum = call i32 @hw_warp_reduce(i32 %mask, i32 0, i32 %lane)
  %p = icmp ult i32 %lane, 5
  %ballot = call i32 @llvm.nvvm.vote.ballot.sync(i32 %mask, i1 %p)
  %all = call i1 @llvm.nvvm.vote.all.sync(i32 %mask, i1 %is.odd)
  %his = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 %mask, i32 %lane, i32 2, i32 31)
  %a = shl i32 %sum, 8
  %c = or i32 %a, %ballot
  %all32 = zext i1 %all to i32
  %d = shl i32 %all32, 20
  %e = or i32 %c, %d
  %f = shl i32 %his, 24
  %r = or i32 %e, %f
  store i32 %r, ptr %out.g
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i1 @llvm.nvvm.vote.all.sync(i32, i1)
declare i32 @hw_warp_reduce(i32, i32, i32)
