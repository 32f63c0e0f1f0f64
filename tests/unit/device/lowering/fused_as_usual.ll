; A checked build takes the same products into sums as the usual one, though its checks keep other code around them.
; RUN: %passes --until=simplify --only=fuseProducts | %check
; RUN: %passes --checked --until=simplify --only=fuseProducts | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Nobody reads the first store, which the product is needed for: but what is told of it does.
; CHECK-LABEL: define internal void @__hwd_entry.overwritten(
; CHECK: [[S:%.+]] = call i16 @hw_math_fused_half(
; CHECK: store i16 [[S]]
; CHECK: ret void
define ptx_kernel void @overwritten(ptr %out, i16 %a, i16 %b, i16 %c) {
  %p = call i16 @hw_math_fusible_half_mul(i16 %a, i16 %b)
  store i16 %p, ptr %out
  %s = call i16 @hw_math_fusible_half_add(i16 %p, i16 %c)
  store i16 %s, ptr %out
  ret void
}

; Of two products a sum takes in the one that less needs.
; CHECK-LABEL: define internal void @__hwd_entry.floats(
; CHECK: %q.i = fmul float
; CHECK: call float @llvm.fmuladd.f32(float %{{.+}}, float %{{.+}}, float %q.i)
; CHECK: ret void
define ptx_kernel void @floats(ptr %out, float %a, float %b, float %c, float %d) {
  %p = fmul contract float %a, %b
  store float %p, ptr %out
  %q = fmul contract float %c, %d
  %s = fadd contract float %p, %q
  store float %s, ptr %out
  ret void
}

; What is hoisted out of a loop has no place in the source any more, but calculates the same.
; CHECK-LABEL: define internal void @__hwd_entry.hoisted(
; CHECK: call i16 @hw_math_fused_half(
; CHECK: phi
define ptx_kernel void @hoisted(ptr %out, i16 %a, i16 %b, i16 %c, i32 %n) {
entry:
  br label %turn
turn:
  %i = phi i32 [ 0, %entry ], [ %next, %turn ]
  %at = getelementptr i16, ptr %out, i32 %i
  %p = call i16 @hw_math_fusible_half_mul(i16 %a, i16 %b)
  store i16 %p, ptr %at
  %s = call i16 @hw_math_fusible_half_add(i16 %p, i16 %c)
  store i16 %s, ptr %at
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %turn, label %end
end:
  ret void
}

declare i16 @hw_math_fusible_half_mul(i16, i16)
declare i16 @hw_math_fusible_half_add(i16, i16)
