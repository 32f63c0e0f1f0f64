; An access of an address that an offset may have made no multiple of its size is guarded; one that follows from a
; parameter relies on that; a multiple needs nothing.
; RUN: %passes --until=checkOffsets | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; A byte offset may be anything.
; CHECK-LABEL: define internal void @__hwd_entry.anything(
; CHECK: %[[REST:.+]] = and i64 %{{.+}}, 3
; CHECK: icmp ne i64 %[[REST]], 0
; CHECK: call void @hw_misaligned(i64 %{{.+}}, i32 4)
define ptx_kernel void @anything(ptr %p, i64 %bytes) {
  %a = getelementptr i8, ptr %p, i64 %bytes
  store i32 1, ptr %a, align 4
  ret void
}
; CHECK-LABEL: define internal void @__hwd_entry.element(
; CHECK-NOT: hw_misaligned
; CHECK: ret void
define ptx_kernel void @element(ptr %p, i64 %index) {
  %a = getelementptr i64, ptr %p, i64 %index
  store i64 1, ptr %a, align 8
  ret void
}
; What says that it may be anywhere is.
; CHECK-LABEL: define internal void @__hwd_entry.packed(
; CHECK-NOT: hw_misaligned
; CHECK: ret void
define ptx_kernel void @packed(ptr %p, i64 %bytes) {
  %a = getelementptr i8, ptr %p, i64 %bytes
  store i32 1, ptr %a, align 1
  ret void
}
; An offset that is no multiple for certain.
; CHECK-LABEL: define internal void @__hwd_entry.odd(
; CHECK: call void @hw_misaligned(
define ptx_kernel void @odd(ptr %p) {
  %a = getelementptr i8, ptr %p, i64 2
  store i32 1, ptr %a, align 4
  ret void
}
; What memory holds is taken for right where code is optimised.
; CHECK-LABEL: define internal void @__hwd_entry.from_memory(
; CHECK-NOT: hw_misaligned
; CHECK: ret void
define ptx_kernel void @from_memory(ptr %p) {
  %q = load ptr, ptr %p, align 8
  store i32 1, ptr %q, align 4
  ret void
}
; CHECK-DAG: ; element.relies: parameter 0 at 8
; CHECK-DAG: ; from_memory.relies: parameter 0 at 8
; CHECK-NOT: ; packed.relies
