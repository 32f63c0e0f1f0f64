; A kernel whose regions have too many instructions together runs on fibers, and its image says that it could have whole
; blocks (256 among its flags): code that is made while the program runs may be three times as long.
; RUN: %passes -O 3 --until=emitImage --explain 2>&1 | %check --check-prefix=SHORT
; RUN: %passes -O 3 --until=emitImage --explain --most-between-waits=30 2>&1 | %check
; RUN: %passes -O 3 --until=emitImage --explain --most-between-waits=30 --kernel=k 2>&1 | %check --check-prefix=MADE
; RUN: not %passes -O 3 --until=emitImage --most-between-waits=10 --kernel=k 2>&1 | %check --check-prefix=TOO-LONG
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SHORT-NOT: fiber per thread
; SHORT: { ptr @__hwd_text, ptr null, ptr @__hwd_table, i64 5, ptr @__hwd_table.1, i32 1, i32 0,
; SHORT: define internal void @__hwd_block.k

; CHECK: k has a fiber per thread: it has {{[0-9]+}} instructions between waits, more than 30
; CHECK: { ptr @__hwd_text, ptr null, ptr @__hwd_table, i64 3, ptr @__hwd_table.1, i32 1, i32 256,
; CHECK-NOT: define {{.*}}@__hwd_{{block|shaped_block}}

; MADE-NOT: fiber per thread
; MADE: define internal void @__hwd_shaped_block.k(

; TOO-LONG: error: k: it cannot run in whole blocks

define ptx_kernel void @k(ptr %out) {
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
  store i32 %v6, ptr %at
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
