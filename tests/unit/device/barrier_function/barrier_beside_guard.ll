; Some threads come to a barrier at once, the others to a guard first, behind which threads meet: those at the barrier wait for
; them all the same. in says who takes which way.
; RUN: %forms k n=1000 block=64 grid=2 | %check --check-prefix=SAME
; RUN: %forms k n=50 block=50 grid=1 | %check --check-prefix=SAME
; RUN: %passes --until=makeThreadLoops | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline
@s = internal addrspace(3) global [1024 x i32] undef, align 4
; Threads meet behind the guard, unless rows are narrow.
; CHECK-LABEL: define internal void @__hwd_block.k(
; CHECK: {{^}}narrow:
; CHECK: {{^}}}
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
  %odd = and i32 %v, 1
  %at.once = icmp eq i32 %odd, 0
  br i1 %at.once, label %first, label %guard
first:
  store i32 %v, ptr addrspace(3) %mine
  call void @llvm.nvvm.barrier0()
  br label %read
guard:
  %inside = icmp ult i32 %g, %n
  br i1 %inside, label %body, label %end
body:
  %once = and i32 %v, 7
  br label %turn
turn:
  %turns = phi i32 [ 0, %body ], [ %turns.next, %turn ]
  %v3 = phi i32 [ %v, %body ], [ %v3.next, %turn ]
  %v3.squared = mul i32 %v3, %v3
  %v3.next = add i32 %v3.squared, %turns
  %turns.next = add i32 %turns, 1
  %again = icmp ult i32 %turns, %once
  br i1 %again, label %turn, label %turned
turned:
  store i32 %v3, ptr addrspace(3) %mine
  call void @llvm.nvvm.barrier0()
  br label %read
read:
  %last = sub i32 %w, 1
  %other = sub i32 %last, %t
  %his = getelementptr i32, ptr addrspace(3) @s, i32 %other
  %u = load i32, ptr addrspace(3) %his
  store i32 %u, ptr %out.g
  br label %end
end:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier0()
