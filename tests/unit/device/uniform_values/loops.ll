; A loop's counter is common turn by turn. Behind a loop that threads leave in different turns its last value is not, and
; nor is what is computed in it and used behind.
; RUN: %passes --analysis=uniform | %check
; CHECK-LABEL: function uniform_trips
; CHECK-DAG: %i: uniform
; CHECK-DAG: %last: uniform
; CHECK-NOT: parts threads
define i32 @uniform_trips(i32 %thread, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %last = add i32 %i, 1
  ret i32 %last
}
; CHECK-LABEL: function varying_trips
; CHECK-DAG: %i: varying
; CHECK-DAG: %last: varying
; CHECK-DAG: %loop: parts threads
define i32 @varying_trips(i32 %thread) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %thread
  br i1 %more, label %loop, label %end
end:
  %last = add i32 %i, 1
  ret i32 %last
}
; The counter is not used behind the loop.
; CHECK-LABEL: function varying_trips_unused
; CHECK-DAG: %i: uniform
; CHECK-DAG: %loop: parts threads
define void @varying_trips_unused(i32 %thread) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %thread
  br i1 %more, label %loop, label %end
end:
  ret void
}
; Breaking out of the middle counts as leaving, too: for the outer loop as well.
; CHECK-LABEL: function break_of_two
; CHECK-DAG: %i: varying
; CHECK-DAG: %j: varying
; CHECK-DAG: %inner: parts threads
define i32 @break_of_two(i32 %thread, i32 %n) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %step ]
  %found = icmp eq i32 %j, %thread
  br i1 %found, label %end, label %step
step:
  %j.next = add i32 %j, 1
  %j.more = icmp ult i32 %j.next, %n
  br i1 %j.more, label %inner, label %latch
latch:
  %i.next = add i32 %i, 1
  %i.more = icmp ult i32 %i.next, %n
  br i1 %i.more, label %outer, label %end
end:
  %r.i = phi i32 [ %i, %inner ], [ %i, %latch ]
  %r.j = phi i32 [ %j, %inner ], [ 0, %latch ]
  %r = add i32 %r.i, %r.j
  ret i32 %r
}
