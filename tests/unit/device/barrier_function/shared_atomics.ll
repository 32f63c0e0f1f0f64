; In a block entry atomics of the block's own shared memory become plain loads and stores; those of global memory stay, and so
; do all of them where each thread runs by itself.
; RUN: %forms k block=96 | %check --check-prefix=SAME
; RUN: %passes --until=makeThreadLoops --only=unlockSharedAtomics | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline
; CHECK-LABEL: define internal void @__hwd_entry.k(
; CHECK: atomicrmw add ptr
; CHECK: atomicrmw max ptr
; CHECK: {{^}}}
; CHECK-LABEL: define internal void @__hwd_block.k(
; CHECK-NOT: atomicrmw add
; CHECK: atomicrmw max ptr
; CHECK-NOT: atomicrmw
; CHECK: {{^}}}
@s = internal addrspace(3) global [1024 x i32] undef, align 4
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %base = mul i32 %b, %w
  %g = add i32 %base, %t
  %out.g = getelementptr i32, ptr %out, i32 %g
  %in.g = getelementptr i32, ptr %in, i32 %g
  %mine = getelementptr i32, ptr addrspace(3) @s, i32 %t
  store i32 0, ptr addrspace(3) %mine
  call void @llvm.nvvm.barrier0()
  %v = load i32, ptr %in.g
  %bin = and i32 %v, 7
  %slot = getelementptr i32, ptr addrspace(3) @s, i32 %bin
  %flat = addrspacecast ptr addrspace(3) %slot to ptr
  %old = atomicrmw add ptr %flat, i32 %v monotonic, align 4
  call void @llvm.nvvm.barrier0()
  %sum = load i32, ptr addrspace(3) %mine
  %older = atomicrmw max ptr %out.g, i32 %sum monotonic, align 4
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.barrier0()
