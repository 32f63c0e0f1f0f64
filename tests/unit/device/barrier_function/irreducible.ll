; A cycle that threads enter at two places, with a barrier in it.
; RUN: %forms k | %check --check-prefix=SAME
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
  %v = load i32, ptr %in.g
  %c = icmp ult i32 %v, 500
  br i1 %c, label %left, label %right
left:
  %a = phi i32 [ 0, %entry ], [ %b.next, %right ]
  %a.sum = phi i32 [ %v, %entry ], [ %b.sum, %right ]
  call void @llvm.nvvm.barrier0()
  %a.next = add i32 %a, 1
  %a.sum2 = mul i32 %a.sum, 3
  %more = icmp ult i32 %a.next, %n
  br i1 %more, label %right, label %end
right:
  %bb = phi i32 [ 1, %entry ], [ %a.next, %left ]
  %b.in = phi i32 [ 7, %entry ], [ %a.sum2, %left ]
  %b.next = add i32 %bb, 1
  %b.sum = add i32 %b.in, %bb
  br label %left
end:
  store i32 %a.sum2, ptr %out.g
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier0()
