; In functions that say so, subnormal operands and results of float operations become zeros of their sign; not those of
; doubles, nor numbers that are only moved. What has become one operation with a product stays that.
; RUN: %passes --only=fuseProducts,flushSubnormals | %check

; CHECK-LABEL: define float @sum(
; CHECK: %[[SIZE:.+]] = call float @llvm.fabs.f32(float %x)
; CHECK: %[[ZERO:.+]] = call float @llvm.copysign.f32(float 0.000000e+00, float %x)
; CHECK: %[[SMALL:.+]] = fcmp olt float %[[SIZE]], 0x3810000000000000
; CHECK: %[[X:.+]] = select i1 %[[SMALL]], float %[[ZERO]], float %x
; CHECK: %[[Y:.+]] = select i1 %{{.+}}, float %{{.+}}, float %y
; CHECK: %r = fadd float %[[X]], %[[Y]]
; CHECK: %[[RESULT:.+]] = select i1 %{{.+}}, float %{{.+}}, float %r
; CHECK: ret float %[[RESULT]]
define float @sum(float %x, float %y) #0 {
  %r = fadd float %x, %y
  ret float %r
}
; CHECK-LABEL: define float @contracted(
; CHECK: call float @llvm.fmuladd.f32(
; CHECK-NOT: fmul
; CHECK: ret float
define float @contracted(float %x, float %y, float %z) #0 {
  %p = fmul contract float %x, %y
  %r = fadd contract float %p, %z
  ret float %r
}
; CHECK-LABEL: define double @doubles(
; CHECK-NEXT: fadd double %x, %y
; CHECK-NEXT: ret
define double @doubles(double %x, double %y) #0 {
  %r = fadd double %x, %y
  ret double %r
}
; CHECK-LABEL: define float @moved(
; CHECK-NEXT: load float
; CHECK-NEXT: call float @llvm.copysign
; CHECK-NEXT: ret
define float @moved(ptr %p, float %s) #0 {
  %v = load float, ptr %p
  %r = call float @llvm.copysign.f32(float %v, float %s)
  ret float %r
}
; CHECK-LABEL: define float @kept(
; CHECK-NEXT: fadd float %x, %y
define float @kept(float %x, float %y) {
  %r = fadd float %x, %y
  ret float %r
}
declare float @llvm.copysign.f32(float, float)
attributes #0 = { "denormal-fp-math-f32"="preserve-sign,preserve-sign" }
