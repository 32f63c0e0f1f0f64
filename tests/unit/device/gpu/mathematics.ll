; Mathematical functions are code of the module; the instructions that the GPU has stay instructions.
; RUN: %hwcc-device --gpu=sm_90 --libdevice=none -o %t && %check < %t
target triple = "nvptx64-nvidia-cuda"

declare float @llvm.sin.f32(float)
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

!nvvm.annotations = !{!0, !1, !2}
!0 = !{ptr @single, !"kernel", i32 1}
!1 = !{ptr @double, !"kernel", i32 1}
!2 = !{ptr @remainder, !"kernel", i32 1}
