; Behind `if (x == k)` elements are looked up by k, which all threads have, though the code says x: also behind a part of a
; condition, and by way of arithmetic from before.
; RUN: %forms k block=32 grid=2 n=9 | %check --check-prefix=SAME
; RUN: %forms k block=40 n=40 | %check --check-prefix=SAME
; RUN: %passes --until=makeThreadLoops | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline

@s = internal unnamed_addr addrspace(3) global [64 x i32] undef, align 4

; CHECK-LABEL: define internal void @__hwd_block.k(
; CHECK: only{{.*}}:
; CHECK-NEXT: %[[WIDE:.+]] = zext i32 %turn{{.*}} to i64
; CHECK-NEXT: %[[PLACE:.+]] = getelementptr i32, ptr %{{.+}}, i64 %[[WIDE]]
; CHECK-NEXT: and i32 %turn{{.*}}, 15
; CHECK: store i32 %{{.+}}, ptr %[[PLACE]]
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t = call i32 @hw_read_linear_thread()
  %wide = zext i32 %x to i64
  %low = and i32 %x, 15
  %lowWide = zext i32 %low to i64
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %b, 64
  %g = add i32 %base, %t
  %in.g = getelementptr i32, ptr %in, i32 %g
  %v = load i32, ptr %in.g
  %s.t = getelementptr [64 x i32], ptr addrspacecast (ptr addrspace(3) @s to ptr), i32 0, i32 %t
  store i32 %v, ptr %s.t
  call void @llvm.nvvm.barrier0()
  br label %loop
loop:
  %turn = phi i32 [ 0, %entry ], [ %next, %latch ]
  %mine = icmp eq i32 %x, %turn
  %first = icmp ult i32 %t, 32
  %both = select i1 %mine, i1 %first, i1 false
  br i1 %both, label %only, label %latch
only:
  %s.x = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @s to ptr), i64 %wide
  %old = load i32, ptr %s.x
  %s.low = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @s to ptr), i64 %lowWide
  %other = load i32, ptr %s.low
  %sum = add i32 %old, %other
  %more = add i32 %sum, 1
  store i32 %more, ptr %s.x
  br label %latch
latch:
  call void @llvm.nvvm.barrier0()
  %next = add i32 %turn, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %result = load i32, ptr %s.t
  %out.g = getelementptr i32, ptr %out, i32 %g
  store i32 %result, ptr %out.g
  ret void
}
declare i32 @hw_read_linear_thread()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier0()
