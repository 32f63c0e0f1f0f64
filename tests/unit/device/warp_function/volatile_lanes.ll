; Lanes that exchange values through volatile shared memory, in step: the last part of an old reduction.
; RUN: %forms k block=64 print=1 | %check --check-prefix=SAME
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline
; SAME-NEXT: out: 32693
@s = internal addrspace(3) global [64 x i32] undef, align 4
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %base = mul i32 %b, %w
  %g = add i32 %base, %t
  %out.g = getelementptr i32, ptr %out, i32 %g
  %in.g = getelementptr i32, ptr %in, i32 %g
  %p3 = getelementptr i32, ptr addrspace(3) @s, i32 %t
  %p = addrspacecast ptr addrspace(3) %p3 to ptr
  %v = load i32, ptr %in.g
  store volatile i32 %v, ptr %p
  call void @llvm.nvvm.barrier0()
  %low = icmp ult i32 %t, 32
  br i1 %low, label %warp, label %end
warp:
  %q32 = getelementptr i32, ptr %p, i32 32
  %a32 = load volatile i32, ptr %p
  %b32 = load volatile i32, ptr %q32
  %c32 = add i32 %a32, %b32
  store volatile i32 %c32, ptr %p
  %q16 = getelementptr i32, ptr %p, i32 16
  %a16 = load volatile i32, ptr %p
  %b16 = load volatile i32, ptr %q16
  %c16 = add i32 %a16, %b16
  store volatile i32 %c16, ptr %p
  %q8 = getelementptr i32, ptr %p, i32 8
  %a8 = load volatile i32, ptr %p
  %b8 = load volatile i32, ptr %q8
  %c8 = add i32 %a8, %b8
  store volatile i32 %c8, ptr %p
  %q4 = getelementptr i32, ptr %p, i32 4
  %a4 = load volatile i32, ptr %p
  %b4 = load volatile i32, ptr %q4
  %c4 = add i32 %a4, %b4
  store volatile i32 %c4, ptr %p
  %q2 = getelementptr i32, ptr %p, i32 2
  %a2 = load volatile i32, ptr %p
  %b2 = load volatile i32, ptr %q2
  %c2 = add i32 %a2, %b2
  store volatile i32 %c2, ptr %p
  %q1 = getelementptr i32, ptr %p, i32 1
  %a1 = load volatile i32, ptr %p
  %b1 = load volatile i32, ptr %q1
  %c1 = add i32 %a1, %b1
  store volatile i32 %c1, ptr %p
  %first = icmp eq i32 %t, 0
  br i1 %first, label %give, label %end
give:
  %r = load volatile i32, ptr %p
  %to = getelementptr i32, ptr %out, i32 %b
  store i32 %r, ptr %to
  br label %end
end:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier0()
