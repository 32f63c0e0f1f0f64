; A barrier in a loop: the region behind it comes back to it, or leaves. With as many turns for all the counter is one; with
; turns that differ threads part, and each has its own.
; RUN: %passes --analysis=regions | %check
; CHECK-LABEL: function uniform_trips
; CHECK: region 0 at %body: %body %loop; then 1, all together
; CHECK-NEXT: region 1 at %loop.split: %loop.split %loop %end; then 1 exit, all together
; CHECK-DAG: slot %i: one, into 1
; CHECK-DAG: slot %sum: array, into 1
; CHECK-NOT: slot %next
define void @uniform_trips(i32 %thread, i32 %n, ptr %p) {
start:
  br label %body
body:
  br label %loop
loop:
  %i = phi i32 [ 0, %body ], [ %next, %loop ]
  %sum = phi i32 [ %thread, %body ], [ %sum.next, %loop ]
  call void @barrier()
  %read = load i32, ptr %p
  %sum.next = add i32 %sum, %read
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  store i32 %sum.next, ptr %p
  ret void
}
; CHECK-LABEL: function varying_trips
; CHECK: region 1 at %loop.split: %loop.split %loop %end; then 1 exit{{$}}
; CHECK-DAG: slot %i: one, into 1
define void @varying_trips(i32 %thread, i32 %n, ptr %p) {
start:
  br label %body
body:
  br label %loop
loop:
  %i = phi i32 [ 0, %body ], [ %next, %loop ]
  call void @barrier()
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %thread
  br i1 %more, label %loop, label %end
end:
  ret void
}
; The counter is used behind the loop, by threads that left it in different turns.
; CHECK-LABEL: function varying_trips_used
; CHECK-DAG: slot %i: array, into 1
define void @varying_trips_used(i32 %thread, i32 %n, ptr %p) {
start:
  br label %body
body:
  br label %loop
loop:
  %i = phi i32 [ 0, %body ], [ %next, %loop ]
  call void @barrier()
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %thread
  br i1 %more, label %loop, label %end
end:
  store i32 %i, ptr %p
  ret void
}
declare void @barrier()
