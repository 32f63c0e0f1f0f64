; Where threads meet again that a branch has separated, a phi's value depends on the way a thread took, though both values
; are common; after a branch that all take together it does not.
; RUN: %passes --analysis=uniform | %check
; CHECK-LABEL: function varying_branch
; CHECK-DAG: %chosen: varying
; CHECK-DAG: %entry: parts threads
define i32 @varying_branch(i32 %thread, i32 %a, i32 %b) {
entry:
  %c = icmp ult i32 %thread, %a
  br i1 %c, label %then, label %else
then:
  br label %join
else:
  br label %join
join:
  %chosen = phi i32 [ %a, %then ], [ %b, %else ]
  ret i32 %chosen
}
; CHECK-LABEL: function uniform_branch
; CHECK-DAG: %chosen: uniform
; CHECK-DAG: %mixed: varying
; CHECK-NOT: parts threads
define i32 @uniform_branch(i32 %thread, i32 %a, i32 %b) {
entry:
  %c = icmp ult i32 %b, %a
  br i1 %c, label %then, label %else
then:
  br label %join
else:
  br label %join
join:
  %chosen = phi i32 [ %a, %then ], [ %b, %else ]
  %mixed = phi i32 [ %a, %then ], [ %thread, %else ]
  ret i32 %chosen
}
