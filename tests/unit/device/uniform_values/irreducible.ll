; Threads that enter a cycle at different places meet in it turn after turn.
; RUN: %passes --analysis=uniform | %check
; CHECK-LABEL: function two_entries
; CHECK-DAG: %a: varying
; CHECK-DAG: %b: varying
; CHECK-DAG: %entry: parts threads
define i32 @two_entries(i32 %thread, i32 %n) {
entry:
  %c = icmp ult i32 %thread, 3
  br i1 %c, label %left, label %right
left:
  %a = phi i32 [ 0, %entry ], [ %b.next, %right ]
  %a.next = add i32 %a, 1
  %a.more = icmp ult i32 %a.next, %n
  br i1 %a.more, label %right, label %end
right:
  %b = phi i32 [ 1, %entry ], [ %a.next, %left ]
  %b.next = add i32 %b, 2
  br label %left
end:
  ret i32 %a
}
