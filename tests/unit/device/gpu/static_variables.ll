; Static variables of code that a program loads are visible by the names that nvcc gives them, and have the value that
; the host gives them.
; RUN: %hwcc-device --gpu=sm_90:loaded --libdevice=none -o %t && %check < %t
; RUN: %hwcc-device --gpu=sm_90 --libdevice=none -o %t && %check --check-prefix=PROGRAM < %t
target triple = "nvptx64-nvidia-cuda"

@_ZL6hidden = internal addrspace(1) global i32 5, align 4
@_ZL5taken = internal addrspace(1) global i32 6, align 4
@taken = addrspace(1) externally_initialized global i32 7, align 4

; CHECK-DAG: .visible .global .align 4 .u32 hidden = 5;
; CHECK-DAG: .visible .global .align 4 .u32 taken = 7;
; PROGRAM-DAG: .u32 _ZL6hidden = 5;
; PROGRAM: .entry k(
; CHECK: .entry k(
; CHECK: ld.global.u32 {{.*}}[hidden]
define void @k(ptr %out) {
  %v = load i32, ptr addrspacecast (ptr addrspace(1) @_ZL6hidden to ptr)
  %w = load i32, ptr addrspacecast (ptr addrspace(1) @_ZL5taken to ptr)
  %x = load i32, ptr addrspacecast (ptr addrspace(1) @taken to ptr)
  %sum = add i32 %v, %w
  %all = add i32 %sum, %x
  store i32 %all, ptr %out
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
