; What has no meaning on a GPU yet is refused by name, and so is a GPU that there is no code for.
; RUN: not %hwcc-device --gpu=sm_90 --libdevice=none -o %t 2>&1 | %check
; RUN: not %hwcc-device --gpu=sm_35 -o %t 2>&1 | %check --check-prefix=OLD
; RUN: not %hwcc-device --gpu=nothing -o %t 2>&1 | %check --check-prefix=NONE
; CHECK: error: {{.*}}: no code for a GPU: hw_warp_together, j0f have no meaning there yet
; OLD: error: --gpu=sm_35 names no GPU that code is made for
; NONE: error: --gpu=nothing names no GPU that code is made for
target triple = "nvptx64-nvidia-cuda"

declare void @hw_warp_together(i32, ptr, ptr)
declare float @j0f(float)

define void @k(ptr %x) {
  call void @hw_warp_together(i32 -1, ptr %x, ptr null)
  %v = load float, ptr %x
  %s = call float @j0f(float %v)
  store float %s, ptr %x
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
