; Threads leave an inner loop in different turns and come to it again in the next turn of the loop around, while others are
; still in it: the outer counter is each thread's own there. Where all leave it together, it is one for all. It is each
; thread's own, too, where some stand at a meeting point that others have left out, who are in the next turn by then.
; RUN: %passes --analysis=regions | %check
; CHECK-LABEL: function apart
; CHECK-DAG: slot %outer: array
; CHECK-DAG: slot %inner: array
; CHECK-LABEL: function together
; CHECK: slot %outer: one
; CHECK-LABEL: function left_out
; CHECK: slot %turn: array, into 1 2
define void @apart(i32 %thread, i32 %n, ptr %p) {
start:
  br label %body
body:
  br label %turn
turn:
  %outer = phi i32 [ 0, %body ], [ %outer.next, %turn.end ]
  br label %loop
loop:
  %inner = phi i32 [ 0, %turn ], [ %inner.next, %loop ]
  call void @barrier()
  %inner.next = add i32 %inner, 1
  %more = icmp ult i32 %inner.next, %thread
  br i1 %more, label %loop, label %turn.end
turn.end:
  %outer.next = add i32 %outer, 1
  %again = icmp ult i32 %outer.next, %n
  br i1 %again, label %turn, label %end
end:
  ret void
}
define void @together(i32 %thread, i32 %n, ptr %p) {
start:
  br label %body
body:
  br label %turn
turn:
  %outer = phi i32 [ 0, %body ], [ %outer.next, %turn.end ]
  br label %loop
loop:
  %inner = phi i32 [ 0, %turn ], [ %inner.next, %loop ]
  call void @barrier()
  %inner.next = add i32 %inner, 1
  %more = icmp ult i32 %inner.next, %n
  br i1 %more, label %loop, label %turn.end
turn.end:
  %outer.next = add i32 %outer, 1
  %again = icmp ult i32 %outer.next, %n
  br i1 %again, label %turn, label %end
end:
  ret void
}
define void @left_out(i32 %thread, i32 %n, ptr %p) {
start:
  br label %body
body:
  br label %loop
loop:
  %turn = phi i32 [ 0, %body ], [ %turn.next, %loop.end ]
  call void @meet()
  %which = xor i32 %turn, %thread
  %isOdd = trunc i32 %which to i1
  br i1 %isOdd, label %some, label %loop.end
some:
  call void @meet()
  store i32 %turn, ptr %p
  br label %loop.end
loop.end:
  %turn.next = add i32 %turn, 1
  %again = icmp ult i32 %turn.next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
declare void @barrier()
declare void @meet()
