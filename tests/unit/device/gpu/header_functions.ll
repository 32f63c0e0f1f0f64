; A function of CUDA's headers that the GPU has an instruction for is that instruction, whatever the headers say; one that the
; program has itself stays.
; RUN: %hwcc-device --gpu=sm_90 --libdevice=none -o %t && %check < %t
target triple = "nvptx64-nvidia-cuda"

declare float @llvm.sqrt.f32(float)

define linkonce_odr float @_Z6rsqrtff(float %x) alwaysinline {
  %s = call float @llvm.sqrt.f32(float %x)
  %r = fdiv float 1.0, %s
  ret float %r
}

define float @_Z6__expff(float %x) noinline {
  ret float %x
}

; CHECK: .entry k(
; CHECK-NOT: sqrt.rn
; CHECK: rsqrt.approx.f32
; CHECK-NOT: ex2
; CHECK: ret;
define void @k(ptr %x) {
  %v = load float, ptr %x
  %r = call float @_Z6rsqrtff(float %v)
  %e = call float @_Z6__expff(float %r)
  store float %e, ptr %x
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
