; Of values that lie at distances from one that has to be kept, none is kept beside it, be they one or several; nor are
; several for one that would not be kept without them. One alone is kept itself, and so is what is chosen or compared.
; RUN: %passes --analysis=regions | %check
; CHECK-LABEL: function several
; CHECK-NOT: slot %p
; CHECK: slot %index: array, into 1
; CHECK-NOT: slot
; CHECK-LABEL: function beside_its_root
; CHECK-NOT: slot %p
; CHECK: slot %index: array, into 1
; CHECK-NOT: slot
; CHECK-LABEL: function alone
; CHECK: slot %p1: array, into 1
; CHECK-NOT: slot
; CHECK-LABEL: function chosen
; CHECK-DAG: slot %least: array, into 1
; CHECK-DAG: slot %isFew: array, into 1
; CHECK-DAG: slot %index: array, into 1
; CHECK-LABEL: function of_two
; CHECK-DAG: slot %sum1: array, into 1
; CHECK-DAG: slot %sum2: array, into 1
; CHECK-LABEL: function end
define void @several(i32 %thread, i32 %pitch, ptr %p) {
start:
  br label %body
body:
  %index = call i32 @f(i32 %thread)
  %i1 = add nsw i32 %index, 3
  %w1 = sext i32 %i1 to i64
  %p1 = getelementptr i32, ptr %p, i64 %w1
  %i2 = add nsw i32 %index, %pitch
  %w2 = sext i32 %i2 to i64
  %p2 = getelementptr i32, ptr %p, i64 %w2
  call void @barrier()
  store i32 1, ptr %p1
  store i32 2, ptr %p2
  ret void
}
define void @beside_its_root(i32 %thread, ptr %p) {
start:
  br label %body
body:
  %index = call i32 @f(i32 %thread)
  %w1 = sext i32 %index to i64
  %p1 = getelementptr i32, ptr %p, i64 %w1
  call void @barrier()
  store i32 %index, ptr %p1
  ret void
}
define void @alone(i32 %thread, ptr %p) {
start:
  br label %body
body:
  %index = call i32 @f(i32 %thread)
  %w1 = sext i32 %index to i64
  %p1 = getelementptr i32, ptr %p, i64 %w1
  call void @barrier()
  store i32 1, ptr %p1
  ret void
}
define void @chosen(i32 %thread, ptr %p) {
start:
  br label %body
body:
  %index = call i32 @f(i32 %thread)
  %isFew = icmp slt i32 %index, 7
  %least = select i1 %isFew, i32 7, i32 %index
  call void @barrier()
  %few = zext i1 %isFew to i32
  store i32 %few, ptr %p
  store i32 %least, ptr %p
  store i32 %index, ptr %p
  ret void
}
define void @of_two(i32 %thread, ptr %p) {
start:
  br label %body
body:
  %a = call i32 @f(i32 %thread)
  %b = call i32 @f(i32 %a)
  %sum1 = add i32 %a, %b
  %sum2 = sub i32 %a, %b
  call void @barrier()
  store i32 %sum1, ptr %p
  store i32 %sum2, ptr %p
  ret void
}
define void @end(i32 %thread) {
start:
  br label %body
body:
  ret void
}
declare void @barrier()
declare i32 @f(i32)
