; Barriers that count, with threads that have ended before; the result is common to all.
; RUN: %forms k n=64 block=64 | %check --check-prefix=SAME
; RUN: %forms k n=37 block=64 | %check --check-prefix=SAME
; RUN: %forms k n=64 block=8,8 | %check --check-prefix=SAME
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
  %odd = and i32 %v, 1
  %count = call i32 @llvm.nvvm.barrier0.popc(i32 %odd)
  %all = call i32 @llvm.nvvm.barrier0.and(i32 %count)
  %never = call i32 @llvm.nvvm.barrier0.or(i32 0)
  %c8 = shl i32 %count, 8
  %r = add i32 %c8, %all
  %r2 = sub i32 %r, %never
  store i32 %r2, ptr %out.g
  br label %end
end:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.barrier0.popc(i32)
declare i32 @llvm.nvvm.barrier0.and(i32)
declare i32 @llvm.nvvm.barrier0.or(i32)
