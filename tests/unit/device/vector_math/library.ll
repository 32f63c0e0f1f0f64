; Mathematical functions become code of the library, to be inlined; what it leaves to the C library is marked.
; RUN: %passes --only=callMathLibrary | %check
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
; CHECK-LABEL: define float @f(
; CHECK: call float @hwmath_sinf(float %x)
; CHECK: call double @hwmath_exp(double %y)
; CHECK: call double @not_math(double %y)
define float @f(float %x, double %y) {
  %a = call float @hw_math_sinf(float %x)
  %b = call double @llvm.exp.f64(double %y)
  %c = call double @not_math(double %y)
  %d = fadd double %b, %c
  %e = fptrunc double %d to float
  %r = fadd float %a, %e
  ret float %r
}
; CHECK: define {{.*}}float @hwmath_sinf(float {{.*}} #[[INLINE:[0-9]+]]
; CHECK: attributes #[[INLINE]] = { {{.*}}alwaysinline
declare float @hw_math_sinf(float)
declare double @llvm.exp.f64(double)
declare double @not_math(double)
