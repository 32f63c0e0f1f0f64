; Conversions to integers saturate; NaN gives 0, but the top bit where a double or 64 bits are involved. Results below 32
; bits are cut from 32. hw_int_of() stays the one instruction that it stands for.
; RUN: %passes --only=lowerConversions | %check

; CHECK-LABEL: define i32 @floatToInt(
; CHECK-NEXT: %[[R:.+]] = call i32 @llvm.fptosi.sat.i32.f32(float %x)
; CHECK-NEXT: ret i32 %[[R]]
define i32 @floatToInt(float %x) {
  %r = fptosi float %x to i32
  ret i32 %r
}

; CHECK-LABEL: define i32 @doubleToInt(
; CHECK: %[[R:.+]] = call i32 @llvm.fptosi.sat.i32.f64(double %x)
; CHECK: %[[NAN:.+]] = fcmp uno double %x, %x
; CHECK: select i1 %[[NAN]], i32 -2147483648, i32 %[[R]]
define i32 @doubleToInt(double %x) {
  %r = fptosi double %x to i32
  ret i32 %r
}

; CHECK-LABEL: define i64 @rounded(
; CHECK: %[[ROUND:.+]] = call double @llvm.round.f64(double %x)
; CHECK: call i64 @llvm.fptosi.sat.i64.f64(double %[[ROUND]])
; CHECK: %[[RINT:.+]] = call float @llvm.rint.f32(float %y)
; CHECK: call i64 @llvm.fptosi.sat.i64.f32(float %[[RINT]])
; CHECK-NOT: call i64 @llvm.l
define i64 @rounded(double %x, float %y) {
  %a = call i64 @llvm.lround.i64.f64(double %x)
  %b = call i64 @llvm.llrint.i64.f32(float %y)
  %r = add i64 %a, %b
  ret i64 %r
}
declare i64 @llvm.lround.i64.f64(double)
declare i64 @llvm.llrint.i64.f32(float)

; CHECK-LABEL: define i64 @floatToUnsigned(
; CHECK: call i64 @llvm.fptoui.sat.i64.f32(float %x)
; CHECK: select i1 %{{.+}}, i64 -9223372036854775808, i64
define i64 @floatToUnsigned(float %x) {
  %r = fptoui float %x to i64
  ret i64 %r
}

; CHECK-LABEL: define i8 @narrow(
; CHECK: %[[R:.+]] = call i32 @llvm.fptosi.sat.i32.f32(float %x)
; CHECK: trunc i32 %[[R]] to i8
define i8 @narrow(float %x) {
  %r = fptosi float %x to i8
  ret i8 %r
}

; CHECK-LABEL: define <2 x i32> @vector(
; CHECK: call <2 x i32> @llvm.fptosi.sat.v2i32.v2f32(<2 x float> %x)
define <2 x i32> @vector(<2 x float> %x) {
  %r = fptosi <2 x float> %x to <2 x i32>
  ret <2 x i32> %r
}

; CHECK-LABEL: define i32 @unsaturated(
; CHECK-NEXT: %[[R:.+]] = fptosi float %x to i32
; CHECK-NEXT: ret i32 %[[R]]
define i32 @unsaturated(float %x) {
  %r = call i32 @hw_int_of(float %x)
  ret i32 %r
}
declare i32 @hw_int_of(float)
