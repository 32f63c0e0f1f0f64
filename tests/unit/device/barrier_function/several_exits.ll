; A loop with a barrier that threads leave at three places, two of which end the kernel.
; RUN: %forms k n=20 | %check --check-prefix=SAME
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline
@s = internal addrspace(3) global [1024 x i32] undef, align 4
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
  %mine = getelementptr i32, ptr addrspace(3) @s, i32 %t
  %v = load i32, ptr %in.g
  store i32 0, ptr addrspace(3) %mine
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %c = phi i32 [ %v, %entry ], [ %c.next, %latch ]
  call void @llvm.nvvm.barrier0()
  %one = icmp eq i32 %c, 1
  br i1 %one, label %found, label %go
found:
  store i32 %i, ptr %out.g
  ret void
go:
  %odd = and i32 %c, 1
  %is.odd = icmp ne i32 %odd, 0
  %c3 = mul i32 %c, 3
  %c31 = add i32 %c3, 1
  %c2 = lshr i32 %c, 1
  %c.next = select i1 %is.odd, i32 %c31, i32 %c2
  %big = icmp ugt i32 %c.next, 2000
  br i1 %big, label %much, label %latch
much:
  store i32 -2, ptr %out.g
  ret void
latch:
  call void @llvm.nvvm.barrier0()
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  store i32 %c.next, ptr %out.g
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier0()
