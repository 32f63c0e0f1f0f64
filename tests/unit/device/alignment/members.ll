; Members of a structure that are accessed together are as a GPU accesses them, at once; one alone needs its own size only.
; RUN: %passes --until=checkOffsets | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
; CHECK-DAG: ; pair.relies: parameter 0 at 8
define ptx_kernel void @pair(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 4
  store i32 1, ptr %p, align 8
  store i32 2, ptr %q, align 4
  ret void
}
; CHECK-DAG: ; one.relies: parameter 0 at 4
define ptx_kernel void @one(ptr %p) {
  store i32 1, ptr %p, align 8
  ret void
}
