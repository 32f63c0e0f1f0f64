; A kernel that host code launches with one shape of block has code for that shape, too: with AVX2 and AVX-512, not for the
; baseline. If it is launched with no other, the code for any block ends at AVX2 and is kept short.
; RUN: %passes --until=makeIsaVariants | %check
; RUN: %forms often block=16,8 n=9 | %check --check-prefix=SAME
; RUN: %forms often block=13,3,2 n=9 | %check --check-prefix=SAME
; RUN: %forms often block=1,64 n=9 | %check --check-prefix=SAME
; RUN: %forms only block=16,8 n=9 | %check --check-prefix=SAME
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline

; CHECK-DAG: define internal void @__hwd_block.often(
; CHECK-DAG: define internal void @__hwd_block.only(
; CHECK-DAG: define internal void @__hwd_block.unknown(
; CHECK-DAG: define internal void @__hwd_block.often.avx2({{.*}} #[[USUAL:[0-9]+]]
; CHECK-DAG: define internal void @__hwd_block.only.avx2({{.*}} #[[SHORT:[0-9]+]]
; CHECK-DAG: define internal void @__hwd_block.unknown.avx2(
; CHECK-DAG: define internal void @__hwd_shaped_block.often.avx2(
; CHECK-DAG: define internal void @__hwd_shaped_block.only.avx2(
; CHECK-DAG: define internal void @__hwd_block.often.avx512(
; CHECK-DAG: define internal void @__hwd_block.unknown.avx512(
; CHECK-DAG: define internal void @__hwd_shaped_block.often.avx512(
; CHECK-DAG: define internal void @__hwd_shaped_block.only.avx512(
; CHECK-DAG: attributes #[[USUAL]] = {{.*}} null_pointer_is_valid memory(
; CHECK-DAG: attributes #[[SHORT]] = {{.*}} null_pointer_is_valid optsize memory(
; CHECK-NOT: @__hwd_block.only.avx512(
; CHECK-NOT: @__hwd_shaped_block.unknown
; CHECK-NOT: @__hwd_shaped_block.{{often|only}}(

@text = private constant [24 x i8] c"hostwarp.expected_block\00"
@file = private constant [2 x i8] c"f\00"
@of.often = private constant { i32, i32, i32, i32 } { i32 16, i32 8, i32 1, i32 0 }
@of.only = private constant { i32, i32, i32, i32 } { i32 16, i32 8, i32 1, i32 1 }
@llvm.global.annotations = appending global [2 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @often, ptr @text, ptr @file, i32 1, ptr @of.often },
  { ptr, ptr, ptr, i32, ptr } { ptr @only, ptr @text, ptr @file, i32 1, ptr @of.only }], section "llvm.metadata"

define void @body(ptr %out, ptr %in, i32 %n) alwaysinline {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %z = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %width = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %height = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %depth = call i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
  %layer = mul i32 %z, %height
  %row = add i32 %layer, %y
  %before = mul i32 %row, %width
  %t = add i32 %before, %x
  %area = mul i32 %width, %height
  %threads = mul i32 %area, %depth
  %first = mul i32 %b, %threads
  %g = add i32 %first, %t
  %in.g = getelementptr i32, ptr %in, i32 %g
  %out.g = getelementptr i32, ptr %out, i32 %g
  %v = load i32, ptr %in.g
  store i32 %v, ptr %out.g
  call void @llvm.nvvm.barrier0()
  %last = sub i32 %threads, 1
  %mirrored = sub i32 %last, %t
  %m = add i32 %first, %mirrored
  %out.m = getelementptr i32, ptr %out, i32 %m
  %w = load i32, ptr %out.m
  call void @llvm.nvvm.barrier0()
  %sum = add i32 %w, %threads
  store i32 %sum, ptr %out.g
  ret void
}
define ptx_kernel void @often(ptr %out, ptr %in, i32 %n) {
  call void @body(ptr %out, ptr %in, i32 %n)
  ret void
}
define ptx_kernel void @only(ptr %out, ptr %in, i32 %n) {
  call void @body(ptr %out, ptr %in, i32 %n)
  ret void
}
define ptx_kernel void @unknown(ptr %out, ptr %in, i32 %n) {
  call void @body(ptr %out, ptr %in, i32 %n)
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
declare void @llvm.nvvm.barrier0()
