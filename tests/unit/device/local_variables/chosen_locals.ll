; A program that chooses between variables, and reads the one that it chose, chooses between values: the variables need no memory.
; RUN: %passes --only=readChosenLocals | %check
; RUN: %forms k block=64 | %check --check-prefix=SAME
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline

; The smaller of two, by one choice after the other.
; CHECK-LABEL: define i64 @smaller(
; CHECK-NOT: alloca
; CHECK-NOT: load
; CHECK: ret i64
define i64 @smaller(i64 %x, i64 %y, i1 %below, i1 %above) {
entry:
  %a = alloca i64
  %b = alloca i64
  store i64 %x, ptr %a
  store i64 %y, ptr %b
  br i1 %below, label %end, label %not.below
not.below:
  br i1 %above, label %end, label %same
same:
  %c = icmp slt i64 %x, %y
  %one = select i1 %c, ptr %a, ptr %b
  br label %end
end:
  %chosen = phi ptr [ %a, %entry ], [ %one, %same ], [ %b, %not.below ]
  %v = load i64, ptr %chosen
  ret i64 %v
}
; A variable that is written to in between has another value.
; CHECK-LABEL: define i64 @written(
; CHECK: %chosen = phi ptr
; CHECK: load i64, ptr %chosen
define i64 @written(i64 %x, i64 %y, i1 %c, ptr %p) {
entry:
  %a = alloca i64
  %b = alloca i64
  store i64 %x, ptr %a
  store i64 %y, ptr %b
  br i1 %c, label %other, label %end
other:
  br label %end
end:
  %chosen = phi ptr [ %a, %entry ], [ %b, %other ]
  store i64 1, ptr %a
  %v = load i64, ptr %chosen
  ret i64 %v
}
; Other memory may not be there to read.
; CHECK-LABEL: define i64 @elsewhere(
; CHECK: load i64, ptr %chosen
define i64 @elsewhere(i64 %x, i1 %c, ptr %p) {
  %a = alloca i64
  store i64 %x, ptr %a
  %chosen = select i1 %c, ptr %a, ptr %p
  %v = load i64, ptr %chosen
  ret i64 %v
}
; A smaller variable has no room for what is read.
; CHECK-LABEL: define i64 @smaller_variable(
; CHECK: load i64, ptr %chosen
define i64 @smaller_variable(i64 %x, i32 %y, i1 %c) {
  %a = alloca i64
  %b = alloca i32, align 8
  store i64 %x, ptr %a
  store i32 %y, ptr %b
  %chosen = select i1 %c, ptr %a, ptr %b
  %v = load i64, ptr %chosen
  ret i64 %v
}
; Choices that go around in a loop are left alone.
; CHECK-LABEL: define i64 @around(
; CHECK: load i64, ptr %chosen
define i64 @around(i64 %x, i64 %y, i32 %n) {
entry:
  %a = alloca i64
  %b = alloca i64
  store i64 %x, ptr %a
  store i64 %y, ptr %b
  br label %turn
turn:
  %i = phi i32 [ 0, %entry ], [ %next, %turn ]
  %chosen = phi ptr [ %a, %entry ], [ %other, %turn ]
  %v = load i64, ptr %chosen
  %odd = trunc i64 %v to i1
  %other = select i1 %odd, ptr %chosen, ptr %b
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %turn, label %end
end:
  ret i64 %v
}

; CHECK-LABEL: define ptx_kernel void @k(
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in.t = getelementptr i32, ptr %in, i32 %t
  %v = load i32, ptr %in.t
  %r = urem i32 %v, 5
  %x = sext i32 %v to i64
  %y = mul i64 %x, -3
  %below = icmp ult i32 %r, 2
  %above = icmp ugt i32 %r, 3
  %s = call i64 @smaller(i64 %x, i64 %y, i1 %below, i1 %above)
  call void @llvm.nvvm.barrier0()
  %w = call i64 @written(i64 %y, i64 %s, i1 %above, ptr %out)
  %z = xor i64 %s, %w
  %word = trunc i64 %z to i32
  %out.t = getelementptr i32, ptr %out, i32 %t
  store i32 %word, ptr %out.t
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
