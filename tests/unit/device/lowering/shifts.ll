; Shifts by as many bits as there are, or more, give 0, or the sign. Constant amounts need nothing.
; RUN: %passes --only=lowerShifts | %check

; CHECK-LABEL: define i32 @left(
; CHECK: %[[IN:.+]] = icmp ult i32 %n, 32
; CHECK: %r = shl i32 %a, %n
; CHECK: %[[BOUNDED:.+]] = select i1 %[[IN]], i32 %r, i32 0
; CHECK: ret i32 %[[BOUNDED]]
define i32 @left(i32 %a, i32 %n) {
  %r = shl i32 %a, %n
  ret i32 %r
}

; CHECK-LABEL: define i64 @logical(
; CHECK: icmp ult i64 %n, 64
; CHECK: %r = lshr i64 %a, %n
; CHECK: select i1 %{{.+}}, i64 %r, i64 0
define i64 @logical(i64 %a, i64 %n) {
  %r = lshr i64 %a, %n
  ret i64 %r
}

; CHECK-LABEL: define i32 @arithmetic(
; CHECK: %[[N:.+]] = select i1 %{{.+}}, i32 %n, i32 31
; CHECK: ashr i32 %a, %[[N]]
define i32 @arithmetic(i32 %a, i32 %n) {
  %r = ashr i32 %a, %n
  ret i32 %r
}

; CHECK-LABEL: define i32 @constant(
; CHECK-NEXT: shl i32 %a, 5
; CHECK-NEXT: ret
define i32 @constant(i32 %a) {
  %r = shl i32 %a, 5
  ret i32 %r
}
