; One barrier: each thread reads what its neighbour has written before. Two loops over the threads of a row, one behind
; the other; no thread has a state of its own.
; RUN: %forms k n=5 print=4 | %check --check-prefix=SAME
; RUN: %passes --until=makeThreadLoops | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline
; SAME-NEXT: out: 637 246 879 488
; CHECK-LABEL: define internal void @__hwd_block.k(
; CHECK-NOT: hw_barrier
; CHECK: store i32 %{{.+}}, ptr addrspace(3)
; CHECK-NEXT: br label %[[FIRST:.+]]
; CHECK-NOT: br label %[[FIRST]]
; CHECK: load i32, ptr addrspace(3)
; CHECK: store i32
; CHECK-NOT: straggler
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
  %v = load i32, ptr %in.g
  store i32 %v, ptr addrspace(3) %mine
  call void @llvm.nvvm.barrier0()
  %t1 = add i32 %t, 1
  %next = urem i32 %t1, %w
  %his = getelementptr i32, ptr addrspace(3) @s, i32 %next
  %u = load i32, ptr addrspace(3) %his
  %r = add i32 %u, %n
  store i32 %r, ptr %out.g
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier0()
