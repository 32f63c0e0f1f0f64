; A managed variable is one of PTX's, with its initial value.
; RUN: %hwcc-device --gpu=sm_90 --libdevice=none -o %t && %check < %t
target triple = "nvptx64-nvidia-cuda"

@text = private constant [17 x i8] c"hostwarp.managed\00", section "llvm.metadata"
@file = private constant [2 x i8] c"x\00", section "llvm.metadata"
@number = addrspace(1) externally_initialized global i32 5, align 4
@plain = addrspace(1) externally_initialized global i32 6, align 4
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr addrspacecast (ptr addrspace(1) @number to ptr), ptr @text, ptr @file, i32 1, ptr null }], section "llvm.metadata"

; CHECK-DAG: .visible .global .attribute(.managed) .align 4 .u32 number = 5;
; CHECK-DAG: .visible .global .align 4 .u32 plain = 6;
; CHECK: .entry k(
; CHECK: ld.global.u32 {{.*}}number
define void @k() {
  %v = load i32, ptr addrspacecast (ptr addrspace(1) @number to ptr)
  store i32 %v, ptr addrspacecast (ptr addrspace(1) @plain to ptr)
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
