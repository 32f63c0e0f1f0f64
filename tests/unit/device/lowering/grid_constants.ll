; A kernel takes its __grid_constant__ parameters by reference: one object for all threads, not to be copied.
; RUN: %passes --only=collectKernels,shareGridConstants | %check
@text = private constant [23 x i8] c"hostwarp.grid_constant\00", section "llvm.metadata"
@file = private constant [5 x i8] c"x.cu\00", section "llvm.metadata"

; A kernel without any keeps its parameters.
; CHECK-LABEL: define ptx_kernel void @other(ptr byval([4 x i32]) align 4 %table)
define ptx_kernel void @other(ptr byval([4 x i32]) align 4 %table) { ret void }

; CHECK-LABEL: define ptx_kernel void @k(
; CHECK-SAME: ptr byref([4 x i32]) align 4 %table, i32 %n, ptr byref(i32) align 4 %limit, ptr byval([2 x i32]) align 4 %own)
; CHECK-NOT: alloca
; CHECK: load i32, ptr %table
; CHECK: load i32, ptr %limit
; CHECK-NOT: llvm.var.annotation
define ptx_kernel void @k(ptr byval([4 x i32]) align 4 %table, i32 %n, i32 %limit, ptr byval([2 x i32]) align 4 %own) {
  %copy = alloca i32, align 4
  store i32 %limit, ptr %copy, align 4
  call void @llvm.var.annotation.p0.p0(ptr %copy, ptr @text, ptr @file, i32 1, ptr null)
  call void @llvm.var.annotation.p0.p0(ptr %table, ptr @text, ptr @file, i32 1, ptr null)
  %a = load i32, ptr %table
  %b = load i32, ptr %copy
  %sum = add i32 %a, %b
  store i32 %sum, ptr %own
  ret void
}
declare void @llvm.var.annotation.p0.p0(ptr, ptr, ptr, i32, ptr)
