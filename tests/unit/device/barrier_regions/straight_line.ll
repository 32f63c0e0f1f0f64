; Two boundaries make three regions, one behind the other. A value that is used behind a boundary and costs little is
; computed again; what was read, or costs more, is kept for each thread; what is common, once.
; RUN: %passes --analysis=regions | %check
; CHECK: region 0 at %body: %body; then 1, all together
; CHECK-NEXT: region 1 at %body.split: %body.split; then 2, all together
; CHECK-NEXT: region 2 at %body.split.split: %body.split.split; then exit, all together
; CHECK-NOT: slot %cheap
; CHECK-DAG: slot %read: array, into 1 2
; CHECK-DAG: slot %quotient: array, into 1
; CHECK-DAG: slot %common: one, into 1
; CHECK-NOT: slot %unused
define void @straight(i32 %thread, i32 %n, ptr %p) {
start:
  br label %body
body:
  %cheap = mul i32 %thread, 3
  %at = getelementptr i32, ptr %p, i32 %cheap
  %read = load i32, ptr %at
  %quotient = udiv i32 %thread, %n
  %common = udiv i32 100, %n
  %unused = load i32, ptr %p
  call void @barrier()
  %sum = add i32 %cheap, %quotient
  %sum2 = add i32 %sum, %common
  store i32 %sum2, ptr %at
  call void @barrier()
  store i32 %read, ptr %at
  ret void
}
declare void @barrier()
