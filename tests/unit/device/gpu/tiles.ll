; Tiles of several warps meet at words that the driver keeps in shared memory; before 8.0 there are none. Memory of the heap
; with an alignment is the driver's, too.
; RUN: %hwcc-device --gpu=sm_90 --libdevice=none -o %t && %check < %t
; RUN: %hwcc-device --gpu=sm_75:ptx70 --libdevice=none -o %t && %check --check-prefix=OLD < %t
target triple = "nvptx64-nvidia-cuda"

declare void @hw_tile_together(i32, ptr, ptr)
declare ptr @hw_malloc_aligned(i64, i64)

define linkonce_odr void @work(ptr %threads) {
  ret void
}
define linkonce_odr void @_ZN18cooperative_groups6detail15shareAmongWarpsEjRNS0_8ExchangeEPFvPKPvE(i32 %threads, ptr %mine, ptr %work) {
  call void @hw_tile_together(i32 %threads, ptr %mine, ptr %work)
  ret void
}

; CHECK: .entry tiles(
; CHECK: __cuda_syscall_aligned_malloc
; CHECK: %reserved_smem_offset_1
; CHECK: atom.add.relaxed.cta.u32
; CHECK: ld.acquire.cta.u32
; OLD: .entry tiles(
; OLD: __cuda_syscall_aligned_malloc
; OLD-NOT: reserved_smem
; OLD: __assertfail
; OLD-NOT: reserved_smem
define void @tiles(ptr %x) convergent {
  call void @hw_tile_together(i32 64, ptr null, ptr null)
  call void @_ZN18cooperative_groups6detail15shareAmongWarpsEjRNS0_8ExchangeEPFvPKPvE(i32 64, ptr %x, ptr @work)
  %m = call ptr @hw_malloc_aligned(i64 100, i64 64)
  store ptr %m, ptr %x
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{ptr @tiles, !"kernel", i32 1}
