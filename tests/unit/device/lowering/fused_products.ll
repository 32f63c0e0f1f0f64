; Which product of a sum becomes one operation with it is decided once; what is left must not be fused later.
; RUN: %passes --only=fuseProducts | %check

; CHECK-LABEL: define float @sum(
; CHECK-NEXT: %s = call float @llvm.fmuladd.f32(float %a, float %b, float %c)
; CHECK-NEXT: ret float %s
define float @sum(float %a, float %b, float %c) {
  %p = fmul contract float %a, %b
  %s = fadd contract float %c, %p
  ret float %s
}

; CHECK-LABEL: define double @differences(
; CHECK: %[[C:.+]] = fneg double %c
; CHECK: %d = call double @llvm.fmuladd.f64(double %a, double %b, double %[[C]])
; CHECK: %[[B:.+]] = fneg double %b
; CHECK: %e = call double @llvm.fmuladd.f64(double %[[B]], double %c, double %d)
define double @differences(double %a, double %b, double %c) {
  %p = fmul contract double %a, %b
  %d = fsub contract double %p, %c
  %q = fmul contract double %b, %c
  %e = fsub contract double %d, %q
  ret double %e
}

; Of two products the first one is taken, or the one with fewer uses; one that others use stays for them.
; CHECK-LABEL: define float @two(
; CHECK-NEXT: %q = fmul float %c, %d
; CHECK-NEXT: %s = call float @llvm.fmuladd.f32(float %a, float %b, float %q)
; CHECK-NEXT: ret float %s
define float @two(float %a, float %b, float %c, float %d) {
  %p = fmul contract float %a, %b
  %q = fmul contract float %c, %d
  %s = fadd contract float %p, %q
  ret float %s
}

; CHECK-LABEL: define float @uses(
; CHECK-NEXT: %p = fmul float %a, %b
; CHECK-NEXT: %s = call float @llvm.fmuladd.f32(float %c, float %d, float %p)
; CHECK-NEXT: %t = call float @llvm.fmuladd.f32(float %a, float %b, float %s)
; CHECK-NEXT: ret float %t
define float @uses(float %a, float %b, float %c, float %d) {
  %p = fmul contract float %a, %b
  %q = fmul contract float %c, %d
  %s = fadd contract float %p, %q
  %t = fadd contract float %p, %s
  ret float %t
}

; No permission, none taken; and no operation of half numbers.
; CHECK-LABEL: define float @strict(
; CHECK-NEXT: fmul float
; CHECK-NEXT: fadd float
define float @strict(float %a, float %b, float %c) {
  %p = fmul float %a, %b
  %s = fadd contract float %c, %p
  ret float %s
}

; CHECK-LABEL: define half @halves(
; CHECK-NEXT: fmul half
; CHECK-NEXT: fadd half
define half @halves(half %a, half %b, half %c) {
  %p = fmul contract half %a, %b
  %s = fadd contract half %c, %p
  ret half %s
}
