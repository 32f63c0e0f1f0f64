; The products of nvcuda::wmma are mma instructions, in the shapes that the architecture has.
; RUN: %hwcc-device --gpu=sm_90 --libdevice=none -o %t && %check < %t
; RUN: %hwcc-device --gpu=sm_75:ptx70 --libdevice=none -o %t && %check --check-prefix=OLD < %t
target triple = "nvptx64-nvidia-cuda"

declare void @hw_warp_together(i32, ptr, ptr)

define linkonce_odr void @multiply(ptr %lanes) {
  ret void
}
$_ZN6nvcuda4wmma8mma_syncILi16ELi16ELi16E6__halfNS0_9row_majorENS0_9col_majorEffEEvRNS0_8fragmentINS0_11accumulatorEXT_EXT0_EXT1_ET6_vEERKNS5_INS0_8matrix_aEXT_EXT0_EXT1_ET2_T3_EERKNS5_INS0_8matrix_bEXT_EXT0_EXT1_ESB_T4_EERKNS5_IS6_XT_EXT0_EXT1_ET5_vEEb = comdat any
define linkonce_odr void @_ZN6nvcuda4wmma8mma_syncILi16ELi16ELi16E6__halfNS0_9row_majorENS0_9col_majorEffEEvRNS0_8fragmentINS0_11accumulatorEXT_EXT0_EXT1_ET6_vEERKNS5_INS0_8matrix_aEXT_EXT0_EXT1_ET2_T3_EERKNS5_INS0_8matrix_bEXT_EXT0_EXT1_ESB_T4_EERKNS5_IS6_XT_EXT0_EXT1_ET5_vEEb(ptr %d, ptr %a, ptr %b, ptr %c, i1 zeroext %satf) alwaysinline comdat {
  call void @hw_warp_together(i32 -1, ptr %a, ptr @multiply)
  ret void
}

; CHECK: .entry product(
; CHECK-COUNT-2: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
; CHECK-NOT: mma.sync
; OLD: .entry product(
; OLD-COUNT-4: mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32
; OLD-NOT: mma.sync
define void @product(ptr %d, ptr %a, ptr %b) convergent {
  call void @_ZN6nvcuda4wmma8mma_syncILi16ELi16ELi16E6__halfNS0_9row_majorENS0_9col_majorEffEEvRNS0_8fragmentINS0_11accumulatorEXT_EXT0_EXT1_ET6_vEERKNS5_INS0_8matrix_aEXT_EXT0_EXT1_ET2_T3_EERKNS5_INS0_8matrix_bEXT_EXT0_EXT1_ESB_T4_EERKNS5_IS6_XT_EXT0_EXT1_ET5_vEEb(ptr %d, ptr %a, ptr %b, ptr %d, i1 zeroext false)
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{ptr @product, !"kernel", i32 1}
