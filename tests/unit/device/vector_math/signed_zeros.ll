; Of two zeros the least is the one below 0, the greatest the one above. With AVX-512 one instruction does it, register by
; register; before it the result is put right where both are equal. Beside a constant a comparison does.
; RUN: %passes --only=orderZeros | %check

; CHECK-LABEL: define <16 x float> @register(
; CHECK: call <16 x float> @llvm.x86.avx512.mask.range.ps.512(<16 x float> %x, <16 x float> %y, i32 4,
; CHECK-NEXT: ret
define <16 x float> @register(<16 x float> %x, <16 x float> %y) #0 {
  %r = call <16 x float> @llvm.minnum.v16f32(<16 x float> %x, <16 x float> %y)
  ret <16 x float> %r
}
; CHECK-LABEL: define <32 x float> @warp(
; CHECK-COUNT-2: call <16 x float> @llvm.x86.avx512.mask.range.ps.512({{.*}}, i32 5,
; CHECK: shufflevector <16 x float>
; CHECK-NEXT: ret
define <32 x float> @warp(<32 x float> %x, <32 x float> %y) #0 {
  %r = call <32 x float> @llvm.maxnum.v32f32(<32 x float> %x, <32 x float> %y)
  ret <32 x float> %r
}
; CHECK-LABEL: define <4 x double> @narrow(
; CHECK: call <4 x double> @llvm.x86.avx512.mask.range.pd.256({{.*}}, i32 4,
define <4 x double> @narrow(<4 x double> %x, <4 x double> %y) #0 {
  %r = call <4 x double> @llvm.minnum.v4f64(<4 x double> %x, <4 x double> %y)
  ret <4 x double> %r
}
; CHECK-LABEL: define float @single(
; CHECK: call <4 x float> @llvm.x86.avx512.mask.range.ps.128({{.*}}, i32 5,
; CHECK-NEXT: extractelement
define float @single(float %x, float %y) #0 {
  %r = call float @llvm.maxnum.f32(float %x, float %y)
  ret float %r
}
; CHECK-LABEL: define <8 x float> @before(
; CHECK: %[[BITS:.+]] = or <8 x i32>
; CHECK: %[[EQUAL:.+]] = bitcast <8 x i32> %[[BITS]] to <8 x float>
; CHECK: %[[LEAST:.+]] = call <8 x float> @llvm.minnum.v8f32(<8 x float> %x, <8 x float> %y)
; CHECK: %[[SAME:.+]] = fcmp oeq <8 x float> %x, %y
; CHECK: select <8 x i1> %[[SAME]], <8 x float> %[[EQUAL]], <8 x float> %[[LEAST]]
define <8 x float> @before(<8 x float> %x, <8 x float> %y) #1 {
  %r = call <8 x float> @llvm.minnum.v8f32(<8 x float> %x, <8 x float> %y)
  ret <8 x float> %r
}
; CHECK-LABEL: define float @below_zero(
; CHECK: %[[LESS:.+]] = fcmp ole float %x, 0.000000e+00
; CHECK: select i1 %[[LESS]], float %x, float 0.000000e+00
define float @below_zero(float %x) #0 {
  %r = call float @llvm.minnum.f32(float %x, float 0.0)
  ret float %r
}
; CHECK-LABEL: define <8 x float> @above_zero(
; CHECK: %[[MORE:.+]] = fcmp ogt <8 x float> %x, zeroinitializer
; CHECK: select <8 x i1> %[[MORE]], <8 x float> %x, <8 x float> zeroinitializer
define <8 x float> @above_zero(<8 x float> %x) #1 {
  %r = call <8 x float> @llvm.maxnum.v8f32(<8 x float> %x, <8 x float> zeroinitializer)
  ret <8 x float> %r
}
; Nothing to put right.
; CHECK-LABEL: define float @others(
; CHECK-NEXT: %a = call float @llvm.minnum.f32(float %x, float 1.000000e+00)
; CHECK-NEXT: %b = call nsz float @llvm.maxnum.f32(float %a, float %y)
; CHECK-NEXT: ret
define float @others(float %x, float %y) #0 {
  %a = call float @llvm.minnum.f32(float %x, float 1.0)
  %b = call nsz float @llvm.maxnum.f32(float %a, float %y)
  ret float %b
}
declare <16 x float> @llvm.minnum.v16f32(<16 x float>, <16 x float>)
declare <32 x float> @llvm.maxnum.v32f32(<32 x float>, <32 x float>)
declare <4 x double> @llvm.minnum.v4f64(<4 x double>, <4 x double>)
declare <8 x float> @llvm.minnum.v8f32(<8 x float>, <8 x float>)
declare <8 x float> @llvm.maxnum.v8f32(<8 x float>, <8 x float>)
declare float @llvm.minnum.f32(float, float)
declare float @llvm.maxnum.f32(float, float)
attributes #0 = { "target-cpu"="x86-64-v4" }
attributes #1 = { "target-cpu"="x86-64-v3" }
