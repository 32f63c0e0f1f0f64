; `if (i < n)` around a loop whose accesses are side by side: threads meet behind the guard and in each turn, for the sake of
; speed. Narrow blocks, those of several rows and those that the guard cuts all come to the same.
; RUN: %forms k n=1000 block=64 grid=2 | %check --check-prefix=SAME
; RUN: %forms k n=40 block=64 grid=2 | %check --check-prefix=SAME
; RUN: %forms k n=0 block=64 grid=2 | %check --check-prefix=SAME
; RUN: %forms k n=70 block=3 grid=2 | %check --check-prefix=SAME
; RUN: %forms k n=90 block=16,4 grid=2 | %check --check-prefix=SAME
; RUN: %passes --until=makeThreadLoops | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline
; CHECK-LABEL: define internal void @__hwd_block.k(
; Several loops over threads, and one for those that part.
; CHECK: straggler
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
  %c = icmp ult i32 %g, %n
  br i1 %c, label %body, label %end
body:
  br label %loop
loop:
  %i = phi i32 [ 0, %body ], [ %i.next, %loop ]
  %sum = phi i32 [ 0, %body ], [ %sum.next, %loop ]
  %i64 = shl i32 %i, 6
  %at = add i32 %i64, %g
  %p = getelementptr i32, ptr %in, i32 %at
  %x = load i32, ptr %p
  %x3 = mul i32 %x, 3
  %sum.next = add i32 %sum, %x3
  %i.next = add i32 %i, 1
  %lim = and i32 %n, 15
  %more = icmp ult i32 %i.next, %lim
  br i1 %more, label %loop, label %store
store:
  store i32 %sum.next, ptr %out.g
  br label %end
end:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
