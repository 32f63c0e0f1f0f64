; A call by address tries the functions of the type whose addresses the module takes, if these are few and small, and calls
; anything else as before. Calls of a type that many have stay as they are.
; RUN: %passes --only=promoteCalls | %check
; RUN: %passes -O0 --only=promoteCalls | %check --check-prefix=AS-BEFORE

@few = constant [2 x ptr] [ptr @first, ptr @second]
@many = constant [5 x ptr] [ptr @a, ptr @b, ptr @c, ptr @d, ptr @e]
define i32 @first(i32 %x) { ret i32 %x }
define i32 @second(i32 %x) {
  %r = add i32 %x, 1
  ret i32 %r
}
define i64 @a(i64 %x) { ret i64 %x }
define i64 @b(i64 %x) { ret i64 1 }
define i64 @c(i64 %x) { ret i64 2 }
define i64 @d(i64 %x) { ret i64 3 }
define i64 @e(i64 %x) { ret i64 4 }

; CHECK-LABEL: define i32 @fewer(
; CHECK: icmp eq ptr %f, @first
; CHECK: call i32 @first(i32 %x)
; CHECK: icmp eq ptr %f, @second
; CHECK: call i32 @second(i32 %x)
; CHECK: call i32 %f(i32 %x)
; CHECK: ret i32
; AS-BEFORE-LABEL: define i32 @fewer(
; AS-BEFORE-NEXT: call i32 %f(i32 %x)
define i32 @fewer(ptr %f, i32 %x) {
  %r = call i32 %f(i32 %x)
  ret i32 %r
}

; CHECK-LABEL: define i64 @more(
; CHECK-NEXT: call i64 %f(i64 %x)
; CHECK-NEXT: ret i64
define i64 @more(ptr %f, i64 %x) {
  %r = call i64 %f(i64 %x)
  ret i64 %r
}

; The function itself is not tried: it would become a part of itself.
; CHECK-LABEL: define float @itself(
; CHECK-NEXT: call float %f(ptr @itself)
define float @itself(ptr %f) {
  %r = call float %f(ptr @itself)
  ret float %r
}
