; Lanes go to different collectives of a switch, each with the mask of those that go there.
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
  %which = and i32 %v, 3
  %w64 = zext i32 %which to i64
  %peers = call i32 @hw_match_any(i32 -1, i64 %w64)
  switch i32 %which, label %other [
    i32 0, label %zero
    i32 1, label %one
  ]
zero:
  %a = call i32 @hw_warp_reduce(i32 %peers, i32 0, i32 %v)
  br label %join
one:
  %p = icmp ugt i32 %v, 400
  %c = call i32 @llvm.nvvm.vote.ballot.sync(i32 %peers, i1 %p)
  br label %join
other:
  call void @llvm.nvvm.bar.warp.sync(i32 %peers)
  %d = mul i32 %v, 3
  br label %join
join:
  %r = phi i32 [ %a, %zero ], [ %c, %one ], [ %d, %other ]
  store i32 %r, ptr %out.g
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.bar.warp.sync(i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i32 @hw_match_any(i32, i64)
declare i32 @hw_warp_reduce(i32, i32, i32)
