; A switch on what differs separates threads to all of its ways; those meet where they join.
; RUN: %passes --analysis=uniform | %check
; CHECK-LABEL: function ways
; CHECK-DAG: %chosen: varying
; CHECK-DAG: %after: varying
; CHECK-DAG: %same: uniform
; CHECK-DAG: %entry: parts threads
define i32 @ways(i32 %thread, i32 %n) {
entry:
  switch i32 %thread, label %other [
    i32 0, label %zero
    i32 1, label %join
  ]
zero:
  br label %join
other:
  br label %join
join:
  %chosen = phi i32 [ 1, %zero ], [ 2, %other ], [ 3, %entry ]
  %after = add i32 %chosen, %n
  %same = add i32 %n, 1
  ret i32 %after
}
