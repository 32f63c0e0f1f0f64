; At -O0 what memory holds promises nothing: an access by it is guarded.
; RUN: %passes -O0 --until=checkOffsets | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
; CHECK-LABEL: define internal void @__hwd_k(
; CHECK: %q = load ptr
; CHECK: call void @hw_misaligned(i64 %{{.+}}, i32 4)
define ptx_kernel void @k(ptr %p) {
  %q = load ptr, ptr %p, align 8
  store i32 1, ptr %q, align 4
  ret void
}
