; Operations of half and bfloat16 that may be fused are calls until it is decided. A product goes into sums where these
; are all that needs it, which have it whenever it is calculated.
; RUN: %passes --only=fuseProducts | %check
; RUN: %passes --only=settleArithmetic | %check --check-prefix=CODE
; RUN: %passes -O0 --only=settleArithmetic | %check --check-prefix=PLAIN

; What is left has the library's code. Without optimisation nothing is fused.
; CODE-NOT: hw_math_
; PLAIN: call i16 @hwmath_fusible_half_mul(
; PLAIN: call i16 @hwmath_fusible_half_add(
; PLAIN-NOT: {{call .*hw_math_|hwmath_fused}}

; CHECK-LABEL: define i16 @sum(
; CHECK-NEXT: %[[S:.+]] = call i16 @hw_math_fused_half(i16 %a, i16 %b, i16 %c)
; CHECK-NEXT: ret i16 %[[S]]
define i16 @sum(i16 %a, i16 %b, i16 %c) {
  %p = call i16 @hw_math_fusible_half_mul(i16 %a, i16 %b)
  %s = call i16 @hw_math_fusible_half_add(i16 %c, i16 %p)
  ret i16 %s
}

; CHECK-LABEL: define i16 @differences(
; CHECK-NEXT: %[[C:.+]] = xor i16 %c, -32768
; CHECK-NEXT: %[[D:.+]] = call i16 @hw_math_fused_brain(i16 %a, i16 %b, i16 %[[C]])
; CHECK-NEXT: %[[B:.+]] = xor i16 %b, -32768
; CHECK-NEXT: %[[E:.+]] = call i16 @hw_math_fused_brain(i16 %[[B]], i16 %c, i16 %[[D]])
; CHECK-NEXT: ret i16 %[[E]]
define i16 @differences(i16 %a, i16 %b, i16 %c) {
  %p = call i16 @hw_math_fusible_brain_mul(i16 %a, i16 %b)
  %d = call i16 @hw_math_fusible_brain_sub(i16 %p, i16 %c)
  %q = call i16 @hw_math_fusible_brain_mul(i16 %b, i16 %c)
  %e = call i16 @hw_math_fusible_brain_sub(i16 %d, i16 %q)
  ret i16 %e
}

; -(a * b) + c
; CHECK-LABEL: define i16 @negated(
; CHECK-NEXT: %[[A:.+]] = xor i16 %a, -32768
; CHECK-NEXT: %[[S:.+]] = call i16 @hw_math_fused_half(i16 %[[A]], i16 %b, i16 %c)
; CHECK-NEXT: ret i16 %[[S]]
define i16 @negated(i16 %a, i16 %b, i16 %c) {
  %p = call i16 @hw_math_fusible_half_mul(i16 %a, i16 %b)
  %n = xor i16 %p, -32768
  %s = call i16 @hw_math_fusible_half_add(i16 %n, i16 %c)
  ret i16 %s
}

; Of two products the first one is taken.
; CHECK-LABEL: define i16 @two(
; CHECK-NEXT: %q = call i16 @hw_math_fusible_half_mul(i16 %c, i16 %d)
; CHECK-NEXT: call i16 @hw_math_fused_half(i16 %a, i16 %b, i16 %q)
; CHECK-NEXT: ret
define i16 @two(i16 %a, i16 %b, i16 %c, i16 %d) {
  %p = call i16 @hw_math_fusible_half_mul(i16 %a, i16 %b)
  %q = call i16 @hw_math_fusible_half_mul(i16 %c, i16 %d)
  %s = call i16 @hw_math_fusible_half_add(i16 %p, i16 %q)
  ret i16 %s
}

; All that needs the product is sums.
; CHECK-LABEL: define void @sums(
; CHECK-NEXT: call i16 @hw_math_fused_half(i16 %a, i16 %b, i16 %c)
; CHECK-NEXT: call i16 @hw_math_fused_half(i16 %a, i16 %b, i16 %a)
; CHECK-NOT: fusible
; CHECK: ret
define void @sums(i16 %a, i16 %b, i16 %c, ptr %out) {
  %p = call i16 @hw_math_fusible_half_mul(i16 %a, i16 %b)
  %s = call i16 @hw_math_fusible_half_add(i16 %p, i16 %c)
  %t = call i16 @hw_math_fusible_half_add(i16 %a, i16 %p)
  store volatile i16 %s, ptr %out
  store volatile i16 %t, ptr %out
  ret void
}

; CHECK-LABEL: define void @stored(
; CHECK-NEXT: call i16 @hw_math_fusible_half_mul(
; CHECK-NEXT: call i16 @hw_math_fusible_half_add(
define void @stored(i16 %a, i16 %b, i16 %c, ptr %out) {
  %p = call i16 @hw_math_fusible_half_mul(i16 %a, i16 %b)
  %s = call i16 @hw_math_fusible_half_add(i16 %p, i16 %c)
  store volatile i16 %p, ptr %out
  store volatile i16 %s, ptr %out
  ret void
}

; Twice itself, and of another format.
; CHECK-LABEL: define i16 @others(
; CHECK-NOT: fused
; CHECK: ret
define i16 @others(i16 %a, i16 %b, i16 %c) {
  %p = call i16 @hw_math_fusible_half_mul(i16 %a, i16 %b)
  %t = call i16 @hw_math_fusible_half_add(i16 %p, i16 %p)
  %q = call i16 @hw_math_fusible_half_mul(i16 %t, i16 %b)
  %s = call i16 @hw_math_fusible_brain_add(i16 %q, i16 %c)
  ret i16 %s
}

; A branch that may leave the sum out, and a loop that would multiply anew each time.
; CHECK-LABEL: define i16 @branch(
; CHECK-NOT: fused
; CHECK: ret
define i16 @branch(i16 %a, i16 %b, i16 %c, i1 %condition) {
entry:
  %p = call i16 @hw_math_fusible_half_mul(i16 %a, i16 %b)
  br i1 %condition, label %then, label %end
then:
  %s = call i16 @hw_math_fusible_half_add(i16 %p, i16 %c)
  br label %end
end:
  %r = phi i16 [ %c, %entry ], [ %s, %then ]
  ret i16 %r
}

; CHECK-LABEL: define i16 @loop(
; CHECK-NOT: fused
; CHECK: ret
define i16 @loop(i16 %a, i16 %b, i16 %c, i32 %n) {
entry:
  %p = call i16 @hw_math_fusible_half_mul(i16 %a, i16 %b)
  br label %turn
turn:
  %i = phi i32 [ 0, %entry ], [ %next, %turn ]
  %t = phi i16 [ %c, %entry ], [ %s, %turn ]
  %s = call i16 @hw_math_fusible_half_add(i16 %p, i16 %t)
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %turn, label %end
end:
  ret i16 %s
}

; Blocks in between that are passed or not make no difference.
; CHECK-LABEL: define i16 @behind(
; CHECK: call i16 @hw_math_fused_half(i16 %a, i16 %b, i16 %r)
define i16 @behind(i16 %a, i16 %b, i16 %c, i1 %condition) {
entry:
  %p = call i16 @hw_math_fusible_half_mul(i16 %a, i16 %b)
  br i1 %condition, label %then, label %end
then:
  br label %end
end:
  %r = phi i16 [ %c, %entry ], [ %a, %then ]
  %s = call i16 @hw_math_fusible_half_add(i16 %p, i16 %r)
  ret i16 %s
}

declare i16 @hw_math_fusible_half_add(i16, i16) #0
declare i16 @hw_math_fusible_half_mul(i16, i16) #0
declare i16 @hw_math_fusible_brain_add(i16, i16) #0
declare i16 @hw_math_fusible_brain_mul(i16, i16) #0
declare i16 @hw_math_fusible_brain_sub(i16, i16) #0
attributes #0 = { nounwind willreturn memory(none) }
