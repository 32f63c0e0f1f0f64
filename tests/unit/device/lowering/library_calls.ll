; The C and C++ libraries' functions that mean something else in device code. Those that the module defines itself stay.
; RUN: %passes --only=lowerLibraryCalls | %check

; CHECK-LABEL: define ptr @memory(
; CHECK: %a = call ptr @hw_malloc(i64 %n)
; CHECK: call ptr @hw_malloc(i64 %n)
; CHECK: call ptr @hw_malloc_aligned(i64 %n, i64 64)
; CHECK: call void @hw_free(ptr %a)
; CHECK: call void @hw_free(ptr %{{.+}})
; CHECK: call double @sin(
define ptr @memory(i64 %n) {
  %a = call ptr @malloc(i64 %n)
  %b = call ptr @_Znwm(i64 %n)
  %c = call ptr @_ZnwmSt11align_val_t(i64 %n, i64 64)
  call void @free(ptr %a)
  call void @_ZdlPvm(ptr %b, i64 %n)
  %s = call double @sin(double 1.0)
  ret ptr %c
}

; CHECK-LABEL: define double @mathematics(
; CHECK: call double @hw_math_cbrt(double %x)
; CHECK: call contract double @hw_math_log10(double %{{.+}})
; CHECK: call float @hw_math_tgammaf(float %y)
; CHECK: call float @cbrtf(float %y)
define double @mathematics(double %x, float %y) {
  %a = call double @cbrt(double %x)
  %b = call contract double @llvm.log10.f64(double %a)
  %c = call float @tgammaf(float %y)
  %d = call float @cbrtf(float %y)
  ret double %b
}
declare double @cbrt(double)
declare double @llvm.log10.f64(double)
declare float @tgammaf(float)
declare float @cbrtf(float)

; CHECK-LABEL: define i32 @output(
; CHECK: call i32 @hw_vprintf(ptr %f, ptr %a)
; The size of a character comes with it.
; CHECK: call void @hw_assert_fail(ptr %f, ptr %f, i32 3, ptr %f, i64 1)
; CHECK: call void @hw_trap()
define i32 @output(ptr %f, ptr %a) {
  %n = call i32 @vprintf(ptr %f, ptr %a)
  call void @__assert_fail(ptr %f, ptr %f, i32 3, ptr %f)
  call void @abort()
  ret i32 %n
}

; CHECK-LABEL: define void @cudaFree(
; What the library promises of its function need not hold for ours.
; CHECK: declare ptr @hw_malloc
; CHECK-NOT: declare {{.*}} @malloc
define void @cudaFree(ptr %p) { ret void }
declare noalias ptr @malloc(i64)
declare ptr @_Znwm(i64)
declare ptr @_ZnwmSt11align_val_t(i64, i64)
declare void @free(ptr)
declare void @_ZdlPvm(ptr, i64)
declare double @sin(double)
declare i32 @vprintf(ptr, ptr)
declare void @__assert_fail(ptr, ptr, i32, ptr)
declare void @abort()
