; A function that is inlined and says that it keeps subnormals, as inline PTX without .ftz does, still does so in one that
; has none.
; RUN: %passes --only=setApart,simplify,settleArithmetic | %check

; CHECK-LABEL: define float @sum(
; CHECK-NEXT: %[[SUM:.+]] = fadd float %x, %y
; CHECK-NEXT: ret float %[[SUM]]
define float @sum(float %x, float %y) #0 {
  %r = call float @kept(float %x, float %y)
  ret float %r
}
; CHECK-LABEL: define float @both(
; CHECK: %[[SUM:.+]] = fadd float %x, %y
; CHECK: select i1 %{{.+}}, float %{{.+}}, float %[[SUM]]
; CHECK: fmul float
define float @both(float %x, float %y) #0 {
  %s = call float @kept(float %x, float %y)
  %r = fmul float %s, 3.0
  ret float %r
}
define internal float @kept(float %x, float %y) #1 {
  %r = fadd float %x, %y
  ret float %r
}
attributes #0 = { "denormal-fp-math-f32"="preserve-sign,preserve-sign" }
attributes #1 = { alwaysinline "denormal-fp-math-f32"="ieee,ieee" }
