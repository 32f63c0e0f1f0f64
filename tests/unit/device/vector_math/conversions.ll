; A vector of numbers becomes one of integers at once: what is out of range becomes the limit, and what is no number 0.
; Single numbers are left as they are.
; RUN: %passes --only=convertVectors | %check

; CHECK-LABEL: define <8 x i32> @signed_of(
; CHECK: fcmp oge <8 x float> %x, {{(splat \(float 0x41E0000000000000\)|<float 0x41E0000000000000)}}
; CHECK: fcmp olt <8 x float> %x, {{(splat \(float 0xC1E0000000000000\)|<float 0xC1E0000000000000)}}
; CHECK: %[[WITHIN:.+]] = and <8 x i1>
; CHECK: %[[SAFE:.+]] = select <8 x i1> %[[WITHIN]], <8 x float> %x, <8 x float> zeroinitializer
; CHECK: fptosi <8 x float> %[[SAFE]] to <8 x i32>
; CHECK-COUNT-2: select <8 x i1>
; CHECK-NOT: fptosi.sat
; CHECK: ret
define <8 x i32> @signed_of(<8 x float> %x) {
  %r = call <8 x i32> @llvm.fptosi.sat.v8i32.v8f32(<8 x float> %x)
  ret <8 x i32> %r
}
; CHECK-LABEL: define <8 x i64> @unsigned_of(
; CHECK: fcmp oge <8 x double> %x, {{(splat \(double 0x43F0000000000000\)|<double 0x43F0000000000000)}}
; CHECK: fptoui <8 x double>
; CHECK-NOT: fptoui.sat
; CHECK: ret
define <8 x i64> @unsigned_of(<8 x double> %x) {
  %r = call <8 x i64> @llvm.fptoui.sat.v8i64.v8f64(<8 x double> %x)
  ret <8 x i64> %r
}
; CHECK-LABEL: define <8 x i32> @half_of(
; CHECK: fpext <8 x half> %x to <8 x float>
define <8 x i32> @half_of(<8 x half> %x) {
  %r = call <8 x i32> @llvm.fptosi.sat.v8i32.v8f16(<8 x half> %x)
  ret <8 x i32> %r
}
; CHECK-LABEL: define i32 @single(
; CHECK: call i32 @llvm.fptosi.sat.i32.f32
define i32 @single(float %x) {
  %r = call i32 @llvm.fptosi.sat.i32.f32(float %x)
  ret i32 %r
}
