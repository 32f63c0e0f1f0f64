; Lanes that have returned take part in nothing: mask-less votes name those that are left.
; RUN: %forms k n=0 block=64 | %check --check-prefix=SAME
; RUN: %forms k n=20 block=64 | %check --check-prefix=SAME
; RUN: %forms k n=33 block=64 | %check --check-prefix=SAME
; RUN: %forms k n=64 block=64 | %check --check-prefix=SAME
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
  %ends = icmp uge i32 %t, %n
  br i1 %ends, label %end, label %rest
rest:
  %v = load i32, ptr %in.g
  %s = call i32 @hw_warp_reduce(i32 0, i32 0, i32 %v)
  store i32 %s, ptr %out.g
  call void @llvm.nvvm.barrier0()
  br label %end
end:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier0()
declare i32 @hw_warp_reduce(i32, i32, i32)
