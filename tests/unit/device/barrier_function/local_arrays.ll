; Each thread has its own array, across barriers and with an index that is not known.
; RUN: %forms k | %check --check-prefix=SAME
; RUN: %forms k block=5,4 | %check --check-prefix=SAME
; RUN: %passes --until=makeThreadLoops | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline
; CHECK-LABEL: define internal void @__hwd_block.k(
; CHECK-NOT: alloca [6 x i32]
; CHECK: {{^}}}
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  %own = alloca [6 x i32], align 4
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
  %v = load i32, ptr %in.g
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %e = getelementptr [6 x i32], ptr %own, i32 0, i32 %i
  %vi = mul i32 %v, %i
  store i32 %vi, ptr %e
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, 6
  br i1 %more, label %loop, label %middle
middle:
  call void @llvm.nvvm.barrier0()
  %at = urem i32 %v, 6
  %e2 = getelementptr [6 x i32], ptr %own, i32 0, i32 %at
  %e2.v = load i32, ptr %e2
  %e2.n = add i32 %e2.v, %n
  store i32 %e2.n, ptr %e2
  call void @llvm.nvvm.barrier0()
  %at3 = urem i32 %t, 6
  %e3 = getelementptr [6 x i32], ptr %own, i32 0, i32 %at3
  %z = load i32, ptr %e3
  store i32 %z, ptr %out.g
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier0()
