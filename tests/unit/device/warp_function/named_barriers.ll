; Barriers of parts of a block: the halves of the block meet each other turn after turn, then the first hands over to
; the second, which waits while the first does not.
; RUN: %forms k block=128 print=1 | %check --check-prefix=SAME
; RUN: %forms k block=256 print=1 | %check --check-prefix=SAME
; RUN: %forms k block=64 print=1 | %check --check-prefix=SAME
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline
@s = internal addrspace(3) global [256 x i32] undef, align 4
declare void @hw_barrier(i32, i32)
declare void @hw_barrier_arrive(i32, i32)
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %base = mul i32 %b, %w
  %g = add i32 %base, %t
  %out.g = getelementptr i32, ptr %out, i32 %g
  %in.g = getelementptr i32, ptr %in, i32 %g
  %half = lshr i32 %w, 1
  %isSecond = icmp uge i32 %t, %half
  %number = select i1 %isSecond, i32 2, i32 1
  %first = select i1 %isSecond, i32 %half, i32 0
  %within = sub i32 %t, %first
  %mirrored.a = sub i32 %half, %within
  %mirrored.b = sub i32 %mirrored.a, 1
  %mirrored = add i32 %mirrored.b, %first
  %mine = getelementptr i32, ptr addrspace(3) @s, i32 %t
  %other = getelementptr i32, ptr addrspace(3) @s, i32 %mirrored
  %v = load i32, ptr %in.g
  br label %loop
loop:
  %turn = phi i32 [ 0, %entry ], [ %turn.next, %loop ]
  %x = phi i32 [ %v, %entry ], [ %x.next, %loop ]
  store i32 %x, ptr addrspace(3) %mine
  call void @hw_barrier(i32 %number, i32 %half)
  %y = load i32, ptr addrspace(3) %other
  %y3 = mul i32 %y, 3
  %x.next = add i32 %y3, %turn
  call void @hw_barrier(i32 %number, i32 %half)
  %turn.next = add i32 %turn, 1
  %more = icmp ult i32 %turn.next, 5
  br i1 %more, label %loop, label %hand
hand:
  br i1 %isSecond, label %take, label %give
give:
  store i32 %x.next, ptr addrspace(3) %mine
  call void @hw_barrier_arrive(i32 5, i32 %w)
  br label %end
take:
  call void @hw_barrier(i32 5, i32 %w)
  %from = sub i32 %t, %half
  %given = getelementptr i32, ptr addrspace(3) @s, i32 %from
  %z = load i32, ptr addrspace(3) %given
  br label %end
end:
  %r = phi i32 [ %x.next, %give ], [ %z, %take ]
  store i32 %r, ptr %out.g
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
