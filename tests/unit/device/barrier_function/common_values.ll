; What all threads have in common changes between two barriers: no thread may see the next value before its turn. A phi of two
; common values by a branch that parts threads is each thread's own.
; RUN: %forms k n=6 | %check --check-prefix=SAME
; RUN: %forms k n=6 block=9,3 | %check --check-prefix=SAME
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
  br label %loop
loop:
  %i = phi i32 [ 1, %entry ], [ %i.next, %latch ]
  %common = phi i32 [ 3, %entry ], [ %common.next, %latch ]
  %acc = phi i32 [ %v, %entry ], [ %acc.next, %latch ]
  call void @llvm.nvvm.barrier0()
  %c5 = mul i32 %common, 5
  %common.next = sdiv i32 %c5, %i
  %odd = and i32 %acc, 1
  %c = icmp eq i32 %odd, 0
  br i1 %c, label %one, label %other
one:
  br label %latch
other:
  br label %latch
latch:
  %picked = phi i32 [ %common, %one ], [ %common.next, %other ]
  call void @llvm.nvvm.barrier0()
  %acc3 = mul i32 %acc, 3
  %acc.next = add i32 %acc3, %picked
  %i.next = add i32 %i, 1
  %more = icmp ule i32 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  store i32 %acc.next, ptr %out.g
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier0()
