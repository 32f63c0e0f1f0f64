; Where a module has more code for whole blocks than there is to be, what is for one shape of block goes first, and then
; that of the largest kernels.
; RUN: %passes --until=makeThreadLoops --explain 2>&1 | %check --check-prefix=ALL
; RUN: %passes --until=makeThreadLoops --explain --most-block-code=650 2>&1 | %check --check-prefix=ANY
; RUN: %passes --until=makeThreadLoops --explain --most-block-code=400 2>&1 | %check
; RUN: %passes --until=makeThreadLoops --explain --most-block-code=1 2>&1 | %check --check-prefix=NONE
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; ALL-NOT: fiber per thread
; ALL-DAG: define internal void @__hwd_block.small(
; ALL-DAG: define internal void @__hwd_block.large(
; ALL-DAG: define internal void @__hwd_shaped_block.small(

; ANY-NOT: {{fiber per thread|@__hwd_shaped_block}}
; ANY: define internal void @__hwd_block.small(
; ANY-NOT: @__hwd_shaped_block
; ANY: define internal void @__hwd_block.large(
; ANY-NOT: @__hwd_shaped_block

; CHECK: large has a fiber per thread: there is too much code for whole blocks
; CHECK-NOT: fiber per thread
; CHECK-NOT: @__hwd_{{block.large|shaped_block}}
; CHECK: define internal void @__hwd_block.small(
; CHECK-NOT: @__hwd_{{block.large|shaped_block}}

; NONE-DAG: small has a fiber per thread: there is too much code for whole blocks
; NONE-DAG: large has a fiber per thread: there is too much code for whole blocks
; NONE-NOT: @__hwd_{{block|shaped_block}}

@text = private constant [24 x i8] c"hostwarp.expected_block\00"
@file = private constant [2 x i8] c"f\00"
@of.small = private constant { i32, i32, i32, i32 } { i32 16, i32 8, i32 1, i32 0 }
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @small, ptr @text, ptr @file, i32 1, ptr @of.small }], section "llvm.metadata"

define ptx_kernel void @small(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %out, i32 %t
  %v = load i32, ptr %at
  call void @llvm.nvvm.barrier0()
  store i32 %v, ptr %at
  ret void
}
define ptx_kernel void @large(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %out, i32 %t
  %v0 = load i32, ptr %at
  call void @llvm.nvvm.barrier0()
  %u1 = mul i32 %v0, %v0
  %v1 = xor i32 %u1, 1
  %u2 = mul i32 %v1, %v1
  %v2 = xor i32 %u2, 2
  %u3 = mul i32 %v2, %v2
  %v3 = xor i32 %u3, 3
  %u4 = mul i32 %v3, %v3
  %v4 = xor i32 %u4, 4
  %u5 = mul i32 %v4, %v4
  %v5 = xor i32 %u5, 5
  %u6 = mul i32 %v5, %v5
  %v6 = xor i32 %u6, 6
  %u7 = mul i32 %v6, %v6
  %v7 = xor i32 %u7, 7
  %u8 = mul i32 %v7, %v7
  %v8 = xor i32 %u8, 8
  %u9 = mul i32 %v8, %v8
  %v9 = xor i32 %u9, 9
  %u10 = mul i32 %v9, %v9
  %v10 = xor i32 %u10, 10
  %u11 = mul i32 %v10, %v10
  %v11 = xor i32 %u11, 11
  %u12 = mul i32 %v11, %v11
  %v12 = xor i32 %u12, 12
  store i32 %v12, ptr %at
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
