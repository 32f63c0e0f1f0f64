; A kernel that is large as a whole is joined where its warps go through small regions: 768 instructions stand in front of the
; sum of a warp, which is one vector from the first shuffle to the end.
; RUN: %forms k block=64 grid=2 | %check --check-prefix=SAME
; RUN: %forms k block=40 | %check --check-prefix=SAME
; RUN: %forms k block=16,4 | %check --check-prefix=SAME
; RUN: %passes --until=makeThreadLoops | %check
; Of its size there is no block entry for processors before AVX2.
; RUN: %passes --until=makeIsaVariants | %check --check-prefix=LEVELS
; LEVELS-NOT: define internal void @__hwd_block.k(
; LEVELS: define internal void @__hwd_block.k.avx2(
; LEVELS-NOT: define internal void @__hwd_block.k(
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random

; CHECK-LABEL: define internal void @__hwd_block.k(
; CHECK-NOT: call i1 @hw_lanes_are_vector(i32 0)
; CHECK: call i1 @hw_lanes_are_vector(i32 1)
; CHECK-COUNT-4: call i32 @hw_lanes_shuffle.i32(
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
  %t = call i32 @hw_read_linear_thread()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %b, 64
  %g = add i32 %base, %t
  %in.g = getelementptr i32, ptr %in, i32 %g
  %v = load i32, ptr %in.g
  %v0 = call i32 @mix256(i32 %v)
  %v1 = call i32 @step(i32 %v0, i32 16)
  %v2 = call i32 @step(i32 %v1, i32 8)
  %v3 = call i32 @step(i32 %v2, i32 4)
  %v4 = call i32 @step(i32 %v3, i32 2)
  %v5 = call i32 @step(i32 %v4, i32 1)
  %out.g = getelementptr i32, ptr %out, i32 %g
  store i32 %v5, ptr %out.g
  ret void
}

; step() adds what the lane has whose number differs in one bit.
define internal i32 @step(i32 %v, i32 %bit) alwaysinline {
  %lane = call i32 @hw_read_laneid()
  %from = xor i32 %lane, %bit
  %wide = zext i32 %v to i64
  %other = call i64 @hw_shuffle(i32 -1, i32 0, i64 %wide, i32 %from, i32 32, ptr null)
  %narrow = trunc i64 %other to i32
  %sum = add i32 %v, %narrow
  ret i32 %sum
}
define internal i32 @mix(i32 %v) alwaysinline {
  %a = lshr i32 %v, 15
  %b = xor i32 %a, %v
  %c = mul i32 %b, 73244475
  ret i32 %c
}
define internal i32 @mix4(i32 %v) alwaysinline {
  %a = call i32 @mix(i32 %v)
  %b = call i32 @mix(i32 %a)
  %c = call i32 @mix(i32 %b)
  %d = call i32 @mix(i32 %c)
  ret i32 %d
}
define internal i32 @mix16(i32 %v) alwaysinline {
  %a = call i32 @mix4(i32 %v)
  %b = call i32 @mix4(i32 %a)
  %c = call i32 @mix4(i32 %b)
  %d = call i32 @mix4(i32 %c)
  ret i32 %d
}
define internal i32 @mix256(i32 %v) alwaysinline {
  %a = call i32 @mix16(i32 %v)
  %b = call i32 @mix16(i32 %a)
  %c = call i32 @mix16(i32 %b)
  %d = call i32 @mix16(i32 %c)
  %e = call i32 @mix16(i32 %d)
  %f = call i32 @mix16(i32 %e)
  %g = call i32 @mix16(i32 %f)
  %h = call i32 @mix16(i32 %g)
  %i = call i32 @mix16(i32 %h)
  %j = call i32 @mix16(i32 %i)
  %k = call i32 @mix16(i32 %j)
  %l = call i32 @mix16(i32 %k)
  %m = call i32 @mix16(i32 %l)
  %o = call i32 @mix16(i32 %m)
  %p = call i32 @mix16(i32 %o)
  %q = call i32 @mix16(i32 %p)
  ret i32 %q
}
declare i32 @hw_read_laneid()
declare i32 @hw_read_linear_thread()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i64 @hw_shuffle(i32, i32, i64, i32, i32, ptr)
