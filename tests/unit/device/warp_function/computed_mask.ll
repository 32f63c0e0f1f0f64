; Masks that are found by a vote, different in the two parts of a warp; lanes meet again behind.
; RUN: %forms k block=64 | %check --check-prefix=SAME
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
  %third = urem i32 %v, 3
  %p = icmp eq i32 %third, 0
  %mask = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %p)
  br i1 %p, label %then, label %else
then:
  %sum = call i32 @hw_warp_reduce(i32 %mask, i32 0, i32 %v)
  br label %join
else:
  %others = xor i32 %mask, -1
  %max = call i32 @hw_warp_reduce(i32 %others, i32 4, i32 %v)
  br label %join
join:
  %p.own = phi i32 [ %sum, %then ], [ %max, %else ]
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %his = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %p.own, i32 16, i32 31)
  %r = add i32 %p.own, %his
  store i32 %r, ptr %out.g
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.bar.warp.sync(i32)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i32 @hw_warp_reduce(i32, i32, i32)
