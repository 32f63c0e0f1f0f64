; Kernels are entries under the names that the program registers, with what attributes say of launches; variables keep their
; spaces; what nobody calls is gone.
; RUN: %hwcc-device --gpu=sm_90 --libdevice=none -o %t && %check < %t
target triple = "nvptx64-nvidia-cuda"

@factor = addrspace(4) externally_initialized global float 3.0, align 4
@counter = internal addrspace(1) global i32 0, align 4
@tile = internal addrspace(3) global [32 x float] undef, align 4
@bounds = private constant [23 x i8] c"hostwarp.launch_bounds\00"
@file = private constant [2 x i8] c"x\00"
@numbers = private constant { i32, i32 } { i32 128, i32 4 }
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @scale, ptr @bounds, ptr @file, i32 1, ptr @numbers }], section "llvm.metadata"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()

; CHECK: .version 8.5
; CHECK: .target sm_90a
; CHECK-NOT: unused
; CHECK-DAG: .visible .const .align 4 .f32 factor
; CHECK-DAG: .visible .global .align 4 .u32 counter
; CHECK: .visible .entry scale(
; CHECK: .maxntid 128
; CHECK: .minnctapersm 4
; CHECK: bar.sync 0
; CHECK: ld.const.f32
; CHECK: atom{{.*}}.add
define void @scale(ptr %x) convergent {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = getelementptr [32 x float], ptr addrspacecast (ptr addrspace(3) @tile to ptr), i32 0, i32 %i
  store float 1.0, ptr %in
  call void @llvm.nvvm.barrier0()
  %f = load float, ptr addrspacecast (ptr addrspace(4) @factor to ptr)
  %v = load float, ptr %in
  %p = fmul float %v, %f
  %out = getelementptr float, ptr %x, i32 %i
  store float %p, ptr %out
  %old = atomicrmw add ptr addrspacecast (ptr addrspace(1) @counter to ptr), i32 1 monotonic
  ret void
}

define void @unused() {
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{ptr @scale, !"kernel", i32 1}
