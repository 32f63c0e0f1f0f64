; Mathematical functions are code of the module; the instructions that the GPU has stay instructions.
; RUN: %hwcc-device --gpu=sm_90 --libdevice=none -o %t && %check < %t
target triple = "nvptx64-nvidia-cuda"

declare float @llvm.sin.f32(float)
declare i64 @llvm.lrint.i64.f64(double)
declare i64 @llvm.llrint.i64.f64(double)
declare i64 @llvm.llrint.i64.f32(float)
declare i64 @llvm.lround.i64.f64(double)
declare double @scalbln(double, i64)
declare double @pow(double, double)
declare double @hw_math_cbrt(double)
declare float @llvm.sqrt.f32(float)
declare double @hw_math_add_rounded(double, double, i32)
declare void @hw_trap()

; CHECK-NOT: .extern
; CHECK: .entry single(
; CHECK: sqrt.rn.f32
define void @single(ptr %x) {
  %v = load float, ptr %x
  %s = call float @llvm.sin.f32(float %v)
  %r = call float @llvm.sqrt.f32(float %s)
  store float %r, ptr %x
  ret void
}

; CHECK: .entry double(
; CHECK: add.rp.f64
define void @double(ptr %x) {
  %v = load double, ptr %x
  %p = call double @pow(double %v, double %v)
  %c = call double @hw_math_cbrt(double %p)
  %u = call double @hw_math_add_rounded(double %c, double %v, i32 2)
  store double %u, ptr %x
  ret void
}

; CHECK: .entry rounded(
; CHECK: cvt.rni.s64.f64
; CHECK: cvt.rni.s64.f32
; CHECK: cvt.rzi.s64.f64
; CHECK: ret;
define void @rounded(ptr %x, double %v, float %f) {
  %a = call i64 @llvm.lrint.i64.f64(double %v)
  store volatile i64 %a, ptr %x
  %b = call i64 @llvm.llrint.i64.f64(double %v)
  store volatile i64 %b, ptr %x
  %c = call i64 @llvm.llrint.i64.f32(float %f)
  store volatile i64 %c, ptr %x
  %d = call i64 @llvm.lround.i64.f64(double %v)
  store volatile i64 %d, ptr %x
  ret void
}

; CHECK: .entry scaled(
; CHECK: min.s64
; CHECK: ret;
define void @scaled(ptr %x, double %v, i64 %e) {
  %a = call double @scalbln(double %v, i64 %e)
  store double %a, ptr %x
  ret void
}

; A remainder is that of fmod(), in which no digit is lost.
; CHECK: .entry remainder(
; CHECK-NOT: div.rn.f32
; CHECK: ret;
define void @remainder(ptr %x) {
  %v = load float, ptr %x
  %r = frem float %v, 3.0
  store float %r, ptr %x
  ret void
}

; What may be fused names no rounding: then the driver decides.
; CHECK: .entry fusible(
; CHECK: mul.f16
; CHECK: add.f16
; CHECK: mul.bf16
; CHECK: sub.bf16
define void @fusible(ptr %x, i16 %a, i16 %b) {
  %p = call i16 @hw_math_fusible_half_mul(i16 %a, i16 %b)
  %s = call i16 @hw_math_fusible_half_add(i16 %p, i16 %b)
  store volatile i16 %s, ptr %x
  %q = call i16 @hw_math_fusible_brain_mul(i16 %a, i16 %b)
  %d = call i16 @hw_math_fusible_brain_sub(i16 %b, i16 %q)
  store volatile i16 %d, ptr %x
  ret void
}
declare i16 @hw_math_fusible_half_add(i16, i16)
declare i16 @hw_math_fusible_half_mul(i16, i16)
declare i16 @hw_math_fusible_brain_sub(i16, i16)
declare i16 @hw_math_fusible_brain_mul(i16, i16)

!nvvm.annotations = !{!0, !1, !2, !3, !4, !5}
!0 = !{ptr @single, !"kernel", i32 1}
!1 = !{ptr @double, !"kernel", i32 1}
!2 = !{ptr @remainder, !"kernel", i32 1}
!4 = !{ptr @scaled, !"kernel", i32 1}
!3 = !{ptr @rounded, !"kernel", i32 1}
!5 = !{ptr @fusible, !"kernel", i32 1}
