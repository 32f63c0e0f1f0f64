; A barrier in an inner loop, and one behind it in the outer one.
; RUN: %passes --analysis=regions | %check
; CHECK: region 0 at %body: %body %outer %inner; then 1, all together
; CHECK-NEXT: region 1 at %inner.split: %inner.split %inner %latch; then 1 2, all together
; CHECK-NEXT: region 2 at %latch.split: %latch.split %outer %end %inner; then 1 exit, all together
; CHECK-DAG: slot %i: one, into 1 2
; CHECK-DAG: slot %j: one, into 1
define void @nested(i32 %thread, i32 %n, ptr %p) {
start:
  br label %body
body:
  br label %outer
outer:
  %i = phi i32 [ 0, %body ], [ %i.next, %latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  call void @barrier()
  %j.next = add i32 %j, 1
  %j.more = icmp ult i32 %j.next, %n
  br i1 %j.more, label %inner, label %latch
latch:
  call void @barrier()
  %i.next = add i32 %i, 1
  %i.more = icmp ult i32 %i.next, %n
  br i1 %i.more, label %outer, label %end
end:
  ret void
}
declare void @barrier()
