; Behind a guard there is one way only: its values are common to those that come there.
; RUN: %passes --analysis=uniform | %check
; CHECK-LABEL: function guard
; CHECK-DAG: %value: uniform
; CHECK-DAG: %entry: parts threads
define i32 @guard(i32 %thread, i32 %n) {
entry:
  %c = icmp ult i32 %thread, %n
  br i1 %c, label %body, label %end
body:
  %value = mul i32 %n, 3
  ret i32 %value
end:
  ret i32 0
}
