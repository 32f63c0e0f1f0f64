; Barriers in a loop with as many turns for all: a reduction in shared memory with strides that halve. The counter is one for
; all threads.
; RUN: %forms k block=64 print=2 | %check --check-prefix=SAME
; RUN: %forms k block=128,2 | %check --check-prefix=SMALL
; RUN: %forms k block=1 | %check --check-prefix=SMALL
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline
; SAME-NEXT: out: 32693 32693
; SMALL: equal: threads random baseline
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
  store i32 %v, ptr addrspace(3) %mine
  br label %begin
begin:
  call void @llvm.nvvm.barrier0()
  %half = lshr i32 %w, 1
  br label %head
head:
  %stride = phi i32 [ %half, %begin ], [ %less, %latch ]
  %more = icmp ne i32 %stride, 0
  br i1 %more, label %turn, label %done
turn:
  %adds = icmp ult i32 %t, %stride
  br i1 %adds, label %add, label %latch
add:
  %other = add i32 %t, %stride
  %his = getelementptr i32, ptr addrspace(3) @s, i32 %other
  %a = load i32, ptr addrspace(3) %mine
  %c = load i32, ptr addrspace(3) %his
  %ac = add i32 %a, %c
  store i32 %ac, ptr addrspace(3) %mine
  br label %latch
latch:
  call void @llvm.nvvm.barrier0()
  %less = lshr i32 %stride, 1
  br label %head
done:
  %sum = load i32, ptr addrspace(3) @s
  store i32 %sum, ptr %out.g
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier0()
