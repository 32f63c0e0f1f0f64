; Threads that wait for a thread of a later warp, in a loop without a barrier.
; RUN: %forms k block=96 grid=1 | %check --check-prefix=SAME
; RUN: %forms k block=8,8 grid=1 | %check --check-prefix=SAME
; RUN: %passes --until=makeThreadLoops | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline
; A block of which all threads spin lets others run.
; CHECK-LABEL: define internal void @__hwd_block.k(
; CHECK: call void @hw_yield_block()
; CHECK: {{^}}}
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
  %v = load i32, ptr %in.g
  %flag = getelementptr i32, ptr %in, i32 4000
  %last = sub i32 %w, 1
  %sets = icmp eq i32 %t, %last
  br i1 %sets, label %set, label %spin
set:
  store atomic volatile i32 4711, ptr %flag monotonic, align 4
  br label %spin
spin:
  %seen = load atomic volatile i32, ptr %flag monotonic, align 4
  %there = icmp eq i32 %seen, 4711
  br i1 %there, label %end, label %spin
end:
  %r = add i32 %v, %seen
  store i32 %r, ptr %out.g
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
