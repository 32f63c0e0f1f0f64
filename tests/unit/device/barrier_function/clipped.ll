; Where a guard lets only the first threads do something, the others have no turns: with signed and unsigned bounds, bounds that
; are negative or above the number of threads, and where only the first thread is meant. Another guard, or something to do
; in front of it, leaves the loop as it is.
; RUN: %forms k block=64 grid=2 n=5 | %check --check-prefix=SAME
; RUN: %forms k block=64 n=-3 | %check --check-prefix=SAME
; RUN: %forms k block=40 n=1000 | %check --check-prefix=SAME
; RUN: %forms k block=16,4 n=9 | %check --check-prefix=SAME
; RUN: %forms k block=64 n=0 | %check --check-prefix=SAME
; RUN: %passes --until=clipThreadLoops | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline

; CHECK-LABEL: define internal void @__hwd_block.k(
; CHECK: call i64 @llvm.smax.i64(i64 %{{.+}}, i64 0)
; CHECK: call i64 @llvm.umin.i64(
; CHECK-COUNT-3: clipped{{[0-9]*}}:
; CHECK-NOT: clipped{{[0-9]*}}:
; CHECK: ret void
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %b, 512
  %row = mul i32 %y, 64
  %of.row = add i32 %base, %row
  %g = add i32 %of.row, %t
  %out.g = getelementptr i32, ptr %out, i32 %g
  %in.g = getelementptr i32, ptr %in, i32 %g
  %v = load i32, ptr %in.g
  store i32 %v, ptr %out.g
  call void @llvm.nvvm.barrier0()
  %signed = icmp slt i32 %t, %n
  br i1 %signed, label %first, label %second
first:
  %a = load i32, ptr %out.g
  %a3 = mul i32 %a, 3
  store i32 %a3, ptr %out.g
  br label %second
second:
  call void @llvm.nvvm.barrier0()
  %unsigned = icmp ugt i32 %n, %t
  br i1 %unsigned, label %below, label %third
below:
  %c = load i32, ptr %out.g
  %c5 = xor i32 %c, 5
  store i32 %c5, ptr %out.g
  br label %third
third:
  call void @llvm.nvvm.barrier0()
  %zero = icmp eq i32 %t, 0
  br i1 %zero, label %alone, label %fourth
alone:
  %e = load i32, ptr %out.g
  %e7 = add i32 %e, 7
  store i32 %e7, ptr %out.g
  br label %fourth
fourth:
  call void @llvm.nvvm.barrier0()
  %from = icmp sge i32 %t, %n
  br i1 %from, label %above, label %fifth
above:
  %f = load i32, ptr %out.g
  %f9 = sub i32 %f, 9
  store i32 %f9, ptr %out.g
  br label %fifth
fifth:
  call void @llvm.nvvm.barrier0()
  %h = load i32, ptr %out.g
  %h1 = add i32 %h, 1
  store i32 %h1, ptr %out.g
  %late = icmp slt i32 %t, %n
  br i1 %late, label %again, label %end
again:
  %h2 = mul i32 %h1, 3
  store i32 %h2, ptr %out.g
  br label %end
end:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier0()
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
