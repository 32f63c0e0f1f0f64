; Addresses of device memory tell by themselves that they are neither local nor constant: the runtime is asked of others.
; RUN: %passes --only=lowerAddressQuestions | %check

declare i32 @hw_is_local(ptr)
declare i32 @hw_is_constant(ptr)

; CHECK-LABEL: define i32 @ask(
; CHECK: %[[PLACE:.+]] = ptrtoint ptr %p to i64
; CHECK: %[[HIGH:.+]] = lshr i64 %[[PLACE]], 43
; CHECK: %[[UNCLEAR:.+]] = icmp ne i64 %[[HIGH]], 4
; CHECK: br i1 %[[UNCLEAR]], label %[[ASK:.+]], label %[[CLEAR:.+]]
; CHECK: [[ASK]]:
; CHECK-NEXT: %local = call i32 @hw_is_local(ptr %p)
; CHECK-NEXT: br label %[[CLEAR]]
; CHECK: [[CLEAR]]:
; CHECK-NEXT: %[[ANSWER:.+]] = phi i32 [ 0, %entry ], [ %local, %[[ASK]] ]
; CHECK: icmp ne i64 %{{.+}}, 4
; CHECK: %constant = call i32 @hw_is_constant(ptr %p)
; CHECK: %[[OTHER:.+]] = phi i32 [ 0, %[[CLEAR]] ], [ %constant, %{{.+}} ]
; CHECK: or i32 %[[ANSWER]], %[[OTHER]]
define i32 @ask(ptr %p) {
entry:
  %local = call i32 @hw_is_local(ptr %p)
  %constant = call i32 @hw_is_constant(ptr %p)
  %either = or i32 %local, %constant
  ret i32 %either
}
