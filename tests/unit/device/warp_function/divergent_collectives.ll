; Collectives in a loop whose turns differ between lanes, with the mask of those that are left.
; RUN: %forms k block=64 | %check --check-prefix=SAME
; RUN: %forms k block=16,4 | %check --check-prefix=SAME
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
  %turns = and i32 %v, 7
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %live = phi i32 [ -1, %entry ], [ %left, %latch ]
  %acc = phi i32 [ 0, %entry ], [ %acc.next, %latch ]
  %goes = icmp ult i32 %i, %turns
  %left = call i32 @llvm.nvvm.vote.ballot.sync(i32 %live, i1 %goes)
  br i1 %goes, label %latch, label %end
latch:
  %sum = call i32 @hw_warp_reduce(i32 %left, i32 0, i32 %v)
  %acc.next = add i32 %acc, %sum
  %i.next = add i32 %i, 1
  br label %loop
end:
  %r = xor i32 %acc, %left
  store i32 %r, ptr %out.g
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i32 @hw_warp_reduce(i32, i32, i32)
