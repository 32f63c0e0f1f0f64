; Each lane waits for the one before it, in the same warp; the number of turns that it takes is its own.
; RUN: %forms k block=64 grid=1 | %check --check-prefix=SAME
; RUN: %forms k block=8,8 grid=1 | %check --check-prefix=SAME
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline
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
  %first = icmp eq i32 %t, 63
  br i1 %first, label %go, label %spin
spin:
  %his = getelementptr i32, ptr %out.g, i32 1
  %seen = load atomic volatile i32, ptr %his monotonic, align 4
  %there = icmp ne i32 %seen, -1
  br i1 %there, label %go, label %spin
go:
  %before = phi i32 [ 0, %entry ], [ %seen, %spin ]
  %r = add i32 %before, %t
  store atomic volatile i32 %r, ptr %out.g monotonic, align 4
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
