; A flag that all threads have in common chooses which of its indices each thread takes; reads of the index stand in both arms.
; RUN: %forms k n=0 block=8,8 grid=1 | %check --check-prefix=SAME
; RUN: %forms k n=1 block=8,8 grid=1 | %check --check-prefix=SAME
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  %c = icmp ne i32 %n, 0
  br i1 %c, label %then, label %else
then:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %join
else:
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  br label %join
join:
  %i = phi i32 [ %x, %then ], [ %y, %else ]
  %x2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %row = shl i32 %y2, 3
  %g = add i32 %row, %x2
  %to = getelementptr i32, ptr %out, i32 %g
  call void @llvm.nvvm.barrier0()
  store i32 %i, ptr %to
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare void @llvm.nvvm.barrier0()
