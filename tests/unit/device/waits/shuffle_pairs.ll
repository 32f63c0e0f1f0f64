; Shuffles of words that take values from the same lanes are one of 64 bits: the halves of one number always, others where there
; are many. What is the same in all lanes, or is not asked for, needs none as long as lanes meet all the same. Nothing that others
; may see is passed.
; RUN: %passes --only=pairShuffles | %check
; RUN: %forms halves block=64 grid=2 n=1 | %check --check-prefix=SAME
; RUN: %forms halves block=33 | %check --check-prefix=SAME
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline

; CHECK-LABEL: define void @of_one_number(
; CHECK: %[[BOTH:[a-z0-9]+]] = call i64 @hw_shuffle(i32 -1, i32 2, i64 %{{.+}}, i32 %lane, i32 32, ptr null)
; CHECK-DAG: lshr i64 %[[BOTH]], 32
; CHECK-DAG: and i64 %[[BOTH]], 4294967295
; CHECK-NOT: call
; CHECK: {{^}}}
define void @of_one_number(ptr %p, i64 %x, i32 %lane) {
  %low = and i64 %x, 4294967295
  %a = call i64 @hw_shuffle(i32 -1, i32 2, i64 %low, i32 %lane, i32 32, ptr null)
  %high = lshr i64 %x, 32
  %b = call i64 @hw_shuffle(i32 -1, i32 2, i64 %high, i32 %lane, i32 32, ptr null)
  %upper = shl i64 %b, 32
  %sum = or i64 %a, %upper
  store i64 %sum, ptr %p
  ret void
}
; CHECK-LABEL: define void @of_two_numbers(
; CHECK-COUNT-2: call i64 @hw_shuffle(
; CHECK: {{^}}}
define void @of_two_numbers(ptr %p, i32 %x, i32 %y, i32 %lane) {
  %v = zext i32 %x to i64
  %w = zext i32 %y to i64
  %a = call i64 @hw_shuffle(i32 -1, i32 2, i64 %v, i32 %lane, i32 32, ptr null)
  %b = call i64 @hw_shuffle(i32 -1, i32 2, i64 %w, i32 %lane, i32 32, ptr null)
  %sum = add i64 %a, %b
  store i64 %sum, ptr %p
  ret void
}
; The second value comes from the first shuffle.
; CHECK-LABEL: define void @one_after_the_other(
; CHECK-COUNT-2: call i64 @hw_shuffle(
; CHECK: {{^}}}
define void @one_after_the_other(ptr %p, i64 %x, i32 %lane) {
  %low = and i64 %x, 4294967295
  %a = call i64 @hw_shuffle(i32 -1, i32 2, i64 %low, i32 %lane, i32 32, ptr null)
  %high = lshr i64 %a, 32
  %b = call i64 @hw_shuffle(i32 -1, i32 2, i64 %high, i32 %lane, i32 32, ptr null)
  store i64 %b, ptr %p
  ret void
}
; CHECK-LABEL: define void @padding(
; CHECK: call i64 @hw_shuffle(i32 -1, i32 2, i64 %x,
; CHECK-NOT: call
; CHECK: store i64 0, ptr %p
define void @padding(ptr %p, i64 %x, i32 %lane) {
  %a = call i64 @hw_shuffle(i32 -1, i32 2, i64 %x, i32 %lane, i32 32, ptr null)
  %b = call i64 @hw_shuffle(i32 -1, i32 2, i64 0, i32 %lane, i32 32, ptr null)
  %c = call i64 @hw_shuffle(i32 -1, i32 2, i64 %x, i32 %lane, i32 32, ptr null)
  store i64 %b, ptr %p
  %q = getelementptr i64, ptr %p, i64 1
  store i64 %a, ptr %q
  ret void
}
; CHECK-LABEL: define void @nothing_but_padding(
; CHECK: call i64 @hw_shuffle(
; CHECK-NOT: call
; CHECK: ret void
define void @nothing_but_padding(ptr %p, i32 %lane) {
  %a = call i64 @hw_shuffle(i32 -1, i32 2, i64 0, i32 %lane, i32 32, ptr null)
  %b = call i64 @hw_shuffle(i32 -1, i32 2, i64 0, i32 %lane, i32 32, ptr null)
  %sum = add i64 %a, %b
  store i64 %sum, ptr %p
  ret void
}
; CHECK-LABEL: define void @other_lanes(
; CHECK-COUNT-2: call i64 @hw_shuffle(
; CHECK: {{^}}}
define void @other_lanes(ptr %p, i64 %x, i32 %lane, i32 %other) {
  %low = and i64 %x, 4294967295
  %a = call i64 @hw_shuffle(i32 -1, i32 2, i64 %low, i32 %lane, i32 32, ptr null)
  %high = lshr i64 %x, 32
  %b = call i64 @hw_shuffle(i32 -1, i32 2, i64 %high, i32 %other, i32 32, ptr null)
  %sum = add i64 %a, %b
  store i64 %sum, ptr %p
  ret void
}
; CHECK-LABEL: define void @a_store_between(
; CHECK-COUNT-2: call i64 @hw_shuffle(
; CHECK: {{^}}}
define void @a_store_between(ptr %p, i64 %x, i32 %lane) {
  %low = and i64 %x, 4294967295
  %a = call i64 @hw_shuffle(i32 -1, i32 2, i64 %low, i32 %lane, i32 32, ptr null)
  store i64 %a, ptr %p
  %high = lshr i64 %x, 32
  %b = call i64 @hw_shuffle(i32 -1, i32 2, i64 %high, i32 %lane, i32 32, ptr null)
  %sum = add i64 %a, %b
  store i64 %sum, ptr %p
  ret void
}
; Another thread may write what is read between the two.
; CHECK-LABEL: define void @a_load_between(
; CHECK-COUNT-2: call i64 @hw_shuffle(
; CHECK: {{^}}}
define void @a_load_between(ptr %p, i64 %x, i32 %lane) {
  %low = and i64 %x, 4294967295
  %a = call i64 @hw_shuffle(i32 -1, i32 2, i64 %low, i32 %lane, i32 32, ptr null)
  %v = load i64, ptr %p
  %high = lshr i64 %x, 32
  %b = call i64 @hw_shuffle(i32 -1, i32 2, i64 %high, i32 %lane, i32 32, ptr null)
  %c = add i64 %a, %b
  %sum = add i64 %c, %v
  store i64 %sum, ptr %p
  ret void
}
; With 24 shuffles, two numbers that have nothing to do with each other go together, too, and what is left over goes alone.
; CHECK-LABEL: define void @many(
; CHECK-COUNT-12: call i64 @hw_shuffle(
; CHECK-NOT: call i64 @hw_shuffle(
; CHECK: {{^}}}
define void @many(ptr %p, i32 %x, i32 %y, i64 %z, i32 %lane) {
  %v = zext i32 %x to i64
  %w = zext i32 %y to i64
  %a0 = call i64 @hw_shuffle(i32 -1, i32 2, i64 %v, i32 %lane, i32 32, ptr null)
  %a1 = call i64 @hw_shuffle(i32 -1, i32 2, i64 %w, i32 %lane, i32 32, ptr null)
  %a2 = call i64 @hw_shuffle(i32 -1, i32 2, i64 %v, i32 %lane, i32 32, ptr null)
  %a3 = call i64 @hw_shuffle(i32 -1, i32 2, i64 %w, i32 %lane, i32 32, ptr null)
  %a4 = call i64 @hw_shuffle(i32 -1, i32 2, i64 %v, i32 %lane, i32 32, ptr null)
  %a5 = call i64 @hw_shuffle(i32 -1, i32 2, i64 %w, i32 %lane, i32 32, ptr null)
  %a6 = call i64 @hw_shuffle(i32 -1, i32 2, i64 %v, i32 %lane, i32 32, ptr null)
  %a7 = call i64 @hw_shuffle(i32 -1, i32 2, i64 %w, i32 %lane, i32 32, ptr null)
  %a8 = call i64 @hw_shuffle(i32 -1, i32 2, i64 %v, i32 %lane, i32 32, ptr null)
  %a9 = call i64 @hw_shuffle(i32 -1, i32 2, i64 %w, i32 %lane, i32 32, ptr null)
  %a10 = call i64 @hw_shuffle(i32 -1, i32 2, i64 %v, i32 %lane, i32 32, ptr null)
  %a11 = call i64 @hw_shuffle(i32 -1, i32 2, i64 %w, i32 %lane, i32 32, ptr null)
  %a12 = call i64 @hw_shuffle(i32 -1, i32 2, i64 %v, i32 %lane, i32 32, ptr null)
  %a13 = call i64 @hw_shuffle(i32 -1, i32 2, i64 %w, i32 %lane, i32 32, ptr null)
  %a14 = call i64 @hw_shuffle(i32 -1, i32 2, i64 %v, i32 %lane, i32 32, ptr null)
  %a15 = call i64 @hw_shuffle(i32 -1, i32 2, i64 %w, i32 %lane, i32 32, ptr null)
  %a16 = call i64 @hw_shuffle(i32 -1, i32 2, i64 %v, i32 %lane, i32 32, ptr null)
  %a17 = call i64 @hw_shuffle(i32 -1, i32 2, i64 %w, i32 %lane, i32 32, ptr null)
  %a18 = call i64 @hw_shuffle(i32 -1, i32 2, i64 %v, i32 %lane, i32 32, ptr null)
  %a19 = call i64 @hw_shuffle(i32 -1, i32 2, i64 %w, i32 %lane, i32 32, ptr null)
  %a20 = call i64 @hw_shuffle(i32 -1, i32 2, i64 %v, i32 %lane, i32 32, ptr null)
  %a21 = call i64 @hw_shuffle(i32 -1, i32 2, i64 %w, i32 %lane, i32 32, ptr null)
  %a22 = call i64 @hw_shuffle(i32 -1, i32 2, i64 %v, i32 %lane, i32 32, ptr null)
  %a23 = call i64 @hw_shuffle(i32 -1, i32 2, i64 %w, i32 %lane, i32 32, ptr null)
  %q0 = getelementptr i64, ptr %p, i64 0
  store i64 %a0, ptr %q0
  %q1 = getelementptr i64, ptr %p, i64 1
  store i64 %a1, ptr %q1
  %q2 = getelementptr i64, ptr %p, i64 2
  store i64 %a2, ptr %q2
  %q3 = getelementptr i64, ptr %p, i64 3
  store i64 %a3, ptr %q3
  %q4 = getelementptr i64, ptr %p, i64 4
  store i64 %a4, ptr %q4
  %q5 = getelementptr i64, ptr %p, i64 5
  store i64 %a5, ptr %q5
  %q6 = getelementptr i64, ptr %p, i64 6
  store i64 %a6, ptr %q6
  %q7 = getelementptr i64, ptr %p, i64 7
  store i64 %a7, ptr %q7
  %q8 = getelementptr i64, ptr %p, i64 8
  store i64 %a8, ptr %q8
  %q9 = getelementptr i64, ptr %p, i64 9
  store i64 %a9, ptr %q9
  %q10 = getelementptr i64, ptr %p, i64 10
  store i64 %a10, ptr %q10
  %q11 = getelementptr i64, ptr %p, i64 11
  store i64 %a11, ptr %q11
  %q12 = getelementptr i64, ptr %p, i64 12
  store i64 %a12, ptr %q12
  %q13 = getelementptr i64, ptr %p, i64 13
  store i64 %a13, ptr %q13
  %q14 = getelementptr i64, ptr %p, i64 14
  store i64 %a14, ptr %q14
  %q15 = getelementptr i64, ptr %p, i64 15
  store i64 %a15, ptr %q15
  %q16 = getelementptr i64, ptr %p, i64 16
  store i64 %a16, ptr %q16
  %q17 = getelementptr i64, ptr %p, i64 17
  store i64 %a17, ptr %q17
  %q18 = getelementptr i64, ptr %p, i64 18
  store i64 %a18, ptr %q18
  %q19 = getelementptr i64, ptr %p, i64 19
  store i64 %a19, ptr %q19
  %q20 = getelementptr i64, ptr %p, i64 20
  store i64 %a20, ptr %q20
  %q21 = getelementptr i64, ptr %p, i64 21
  store i64 %a21, ptr %q21
  %q22 = getelementptr i64, ptr %p, i64 22
  store i64 %a22, ptr %q22
  %q23 = getelementptr i64, ptr %p, i64 23
  store i64 %a23, ptr %q23
  ret void
}
declare i64 @hw_shuffle(i32, i32, i64, i32, i32, ptr)

; CHECK-LABEL: define ptx_kernel void @halves(
define ptx_kernel void @halves(ptr %out, ptr %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %base = mul i32 %b, %w
  %g = add i32 %base, %t
  %out.g = getelementptr i32, ptr %out, i32 %g
  %in.g = getelementptr i32, ptr %in, i32 %g
  %v = load i32, ptr %in.g
  %wide = sext i32 %v to i64
  %x = mul i64 %wide, 6364136223846793005
  %low = trunc i64 %x to i32
  %upper = lshr i64 %x, 32
  %high = trunc i64 %upper to i32
  %all = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %delta = and i32 %all, 0
  %d = add i32 %delta, 3
  %l = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %low, i32 %d, i32 31)
  %h = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %high, i32 %d, i32 31)
  %l2 = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %l, i32 %n, i32 0)
  %h2 = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %h, i32 %n, i32 0)
  %r = mul i32 %h2, 31
  %s = xor i32 %r, %l2
  store i32 %s, ptr %out.g
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.up.i32(i32, i32, i32, i32)
