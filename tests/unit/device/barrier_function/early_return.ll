; Threads that return before the barrier do not come to it; those that are left still wait for each other. n says how many.
; RUN: %forms k n=0 | %check --check-prefix=SAME
; RUN: %forms k n=1 | %check --check-prefix=SAME
; RUN: %forms k n=5 | %check --check-prefix=SAME
; RUN: %forms k n=64 | %check --check-prefix=SAME
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline
@s = internal addrspace(3) global [1024 x i32] undef, align 4
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %base = mul i32 %b, %w
  %g = add i32 %base, %t
  %out.g = getelementptr i32, ptr %out, i32 %g
  %in.g = getelementptr i32, ptr %in, i32 %g
  %ends = icmp uge i32 %t, %n
  br i1 %ends, label %end, label %rest
rest:
  %mine = getelementptr i32, ptr addrspace(3) @s, i32 %t
  %v = load i32, ptr %in.g
  store i32 %v, ptr addrspace(3) %mine
  call void @llvm.nvvm.barrier0()
  %last = sub i32 %n, 1
  %other = sub i32 %last, %t
  %his = getelementptr i32, ptr addrspace(3) @s, i32 %other
  %u = load i32, ptr addrspace(3) %his
  store i32 %u, ptr %out.g
  br label %end
end:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier0()
