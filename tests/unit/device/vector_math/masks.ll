; A rare call in a loop gets variants that take vectors and a mask; they call the function for the lanes in the mask only.
; Once loops are vectors the offer ends.
; RUN: %passes --only=offerMasks | %check
; RUN: %passes --only=offerMasks,withdrawMasks | %check --check-prefix=AFTER
; CHECK: @llvm.compiler.used = appending global [4 x ptr]
; AFTER-NOT: @llvm.compiler.used
; CHECK-LABEL: define float @f(
; CHECK: call float @rare(float %x) #[[VARIANTS:[0-9]+]]
define float @f(float %x) {
  %r = call float @rare(float %x) #1
  ret float %r
}
; CHECK: define internal <4 x float> @hw_masked.4.rare(<4 x float> %0, <4 x i1> %1)
; CHECK: %[[MASK:.+]] = bitcast <4 x i1> %1 to i4
; CHECK: icmp ne i4 %[[MASK]], 0
; CHECK: call void @hw_masked.lanes.4.rare(
; CHECK-LABEL: define internal void @hw_masked.lanes.4.rare(
; CHECK: %[[LANE:.+]] = lshr i32 %{{.+}}, %{{.+}}
; CHECK: %[[TAKEN:.+]] = trunc i32 %[[LANE]] to i1
; CHECK: br i1 %[[TAKEN]]
; CHECK: call float @rare(
; CHECK: attributes #[[VARIANTS]] = { nobuiltin "vector-function-abi-variant"="{{.*}}_ZGV_LLVM_M4v_rare(hw_masked.4.rare)
declare float @rare(float) #0
attributes #0 = { memory(none) }
attributes #1 = { nobuiltin }
