; What kernels say of their clusters and of parameters that all threads share is told to the driver; code that was compiled for
; an older architecture is code for that one, which has no clusters before 9.0.
; RUN: %hwcc-device --gpu=sm_90 --libdevice=none -o %t && %check < %t
; RUN: %hwcc-device --gpu=sm_90 --targets=compute_80:compute_80 --libdevice=none -o %t && %check --check-prefix=OLD < %t
; RUN: %hwcc-device --gpu=sm_120 --targets=compute_90:compute_90 --libdevice=none -o %t && %check --check-prefix=LATER < %t
target triple = "nvptx64-nvidia-cuda"

%struct.Map = type { [16 x i64] }
@cluster = private constant [22 x i8] c"hostwarp.cluster_dims\00"
@shared = private constant [23 x i8] c"hostwarp.grid_constant\00"
@file = private constant [2 x i8] c"x\00"
@numbers = private constant { i32, i32, i32 } { i32 2, i32 1, i32 1 }
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @pairs, ptr @cluster, ptr @file, i32 1, ptr @numbers }], section "llvm.metadata"

declare void @llvm.var.annotation.p0.p0(ptr, ptr, ptr, i32, ptr)

; CHECK: .target sm_90a
; CHECK: .entry pairs(
; CHECK: .explicitcluster
; CHECK-NEXT: .reqnctapercluster 2, 1, 1
; CHECK-NEXT: {
; The parameter is not copied: its own address is what the instruction gets.
; CHECK-NOT: .local
; CHECK: cvta.param.u64
; OLD: .target sm_80
; OLD-NOT: cluster
; OLD: ret;
; LATER: .target sm_90{{$}}
define void @pairs(ptr byval(%struct.Map) align 64 %map) convergent {
  call void @llvm.var.annotation.p0.p0(ptr %map, ptr @shared, ptr @file, i32 1, ptr null)
  call void asm sideeffect "prefetch.tensormap [$0];", "l,~{memory}"(ptr %map)
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{ptr @pairs, !"kernel", i32 1}
