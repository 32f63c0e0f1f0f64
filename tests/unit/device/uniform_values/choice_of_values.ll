; A value that is one of two that differ differs, whatever chooses: `flag ? threadIdx.x : threadIdx.y`.
; RUN: %passes --analysis=uniform | %check
; CHECK-LABEL: function choice
; CHECK-DAG: %picked: varying
; CHECK-DAG: %constant: uniform
define i32 @choice(i32 %thread.x, i32 %thread.y, i1 %flag, i32 %a, i32 %b) {
  %picked = select i1 %flag, i32 %thread.x, i32 %thread.y
  %constant = select i1 %flag, i32 %a, i32 %b
  ret i32 %picked
}
