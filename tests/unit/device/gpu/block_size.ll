; A kernel with __block_size__ is launched by clusters, which only newer PTX can say, and no older GPU can do.
; RUN: %hwcc-device --gpu=sm_90:ptx90 --libdevice=none -o %t && %check < %t
; RUN: not %hwcc-device --gpu=sm_80 --libdevice=none -o %t 2>&1 | %check --check-prefix=OLD
target triple = "nvptx64-nvidia-cuda"

@text = private constant [20 x i8] c"hostwarp.block_size\00"
@file = private constant [2 x i8] c"x\00"
@numbers = private constant { i32, i32, i32, i32, i32, i32 } { i32 64, i32 2, i32 1, i32 2, i32 1, i32 1 }
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @clusters, ptr @text, ptr @file, i32 1, ptr @numbers }], section "llvm.metadata"

; CHECK: .version 9.0
; CHECK: .entry clusters(
; CHECK: .reqntid 64, 2, 1
; CHECK: .blocksareclusters
; CHECK-NEXT: .reqnctapercluster 2, 1, 1
; OLD: error: {{.*}}__block_size__() of clusters needs a GPU of 9.0 or newer
define void @clusters(ptr %x) {
  store i32 1, ptr %x
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{ptr @clusters, !"kernel", i32 1}
