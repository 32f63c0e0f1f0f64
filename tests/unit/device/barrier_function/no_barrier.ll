; A kernel without barriers is one loop over its threads, with rows of any width and depth.
; RUN: %forms k block=64 grid=3 | %check --check-prefix=SAME
; RUN: %forms k block=1 grid=3 | %check --check-prefix=SAME
; RUN: %forms k block=7 grid=3 | %check --check-prefix=SAME
; RUN: %forms k block=33,3,2 grid=3 | %check --check-prefix=SAME
; RUN: %forms k block=256 grid=3 | %check --check-prefix=SAME
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %z = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %width = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %height = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %plane = mul i32 %z, %height
  %rows = add i32 %plane, %y
  %before = mul i32 %rows, %width
  %t = add i32 %before, %x
  %base = mul i32 %b, 256
  %g = add i32 %base, %t
  %in.g = getelementptr i32, ptr %in, i32 %g
  %v = load i32, ptr %in.g
  %to = getelementptr i32, ptr %out, i32 %g
  %r = mul i32 %v, %t
  store i32 %r, ptr %to
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
