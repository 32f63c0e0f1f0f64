; What runs all threads of a block may become vectors of a warp's lanes, any of whose values may need room on the stack.
; RUN: %passes --until=measureStackFrames 2>&1 | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: ; kernel k
; CHECK: ; k.spillBytes: {{[1-9][0-9][0-9][0-9][0-9]}}
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr i32, ptr %in, i32 %t
  %a = load i32, ptr %from
  %b = mul i32 %a, %t
  %c = xor i32 %b, %n
  %d = mul i32 %c, %a
  %e = add i32 %d, %b
  %f = mul i32 %e, %c
  %g = xor i32 %f, %d
  %to = getelementptr i32, ptr %out, i32 %t
  store i32 %g, ptr %to
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
