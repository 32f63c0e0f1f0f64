; Each arm of a branch that parts the block has a barrier of its own. Both are the block's barrier: whoever comes there waits for
; all. Values differ between the arms and are needed behind.
; RUN: %forms k block=64 | %check --check-prefix=SAME
; RUN: %forms k block=6,6 | %check --check-prefix=SAME
; RUN: %passes --until=makeThreadLoops | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline
; Threads stand at different places: each is taken on from its own.
; CHECK-LABEL: define internal void @__hwd_block.k(
; CHECK: straggler
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
  store i32 %v, ptr addrspace(3) %mine
  %low = icmp ult i32 %t, 3
  br i1 %low, label %then, label %else
then:
  %a.q = sdiv i32 %v, 3
  call void @llvm.nvvm.barrier0()
  %zero = getelementptr i32, ptr addrspace(3) @s, i32 0
  %a.read = load i32, ptr addrspace(3) %zero
  %a = mul i32 %a.q, %a.read
  br label %join
else:
  %c.q = sdiv i32 %v, 5
  %up = getelementptr i32, ptr %out.g, i32 2048
  store i32 %c.q, ptr %up
  call void @llvm.nvvm.barrier0()
  %c.read = load i32, ptr %up
  %c = add i32 %c.q, %c.read
  br label %join
join:
  %p = phi i32 [ %a, %then ], [ %c, %else ]
  %t3 = add i32 %t, 3
  %at = urem i32 %t3, %w
  %his = getelementptr i32, ptr addrspace(3) @s, i32 %at
  %u = load i32, ptr addrspace(3) %his
  %r = sub i32 %u, %p
  store i32 %r, ptr %out.g
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier0()
