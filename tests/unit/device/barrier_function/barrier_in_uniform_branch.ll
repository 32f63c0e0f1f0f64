; A barrier in a branch that all threads of the block take, or none: blocks differ.
; RUN: %forms k grid=4 | %check --check-prefix=SAME
; RUN: %passes --until=makeThreadLoops | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline
; All go the same way: nobody has to be taken on alone.
; CHECK-LABEL: define internal void @__hwd_block.k(
; CHECK-NOT: straggler
; CHECK: {{^}}}
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
  %odd = and i32 %b, 1
  %c = icmp eq i32 %odd, 0
  br i1 %c, label %then, label %end
then:
  store i32 %v, ptr addrspace(3) %mine
  call void @llvm.nvvm.barrier0()
  %flip = xor i32 %t, 1
  %his = getelementptr i32, ptr addrspace(3) @s, i32 %flip
  %u = load i32, ptr addrspace(3) %his
  br label %end
end:
  %r = phi i32 [ %v, %entry ], [ %u, %then ]
  store i32 %r, ptr %out.g
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier0()
