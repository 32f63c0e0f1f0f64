; Variable arguments lie in memory, each at its natural alignment, and the callee gets the address.
; RUN: %passes --only=lowerVariadics | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define void @caller(
; CHECK: %[[BUFFER:.+]] = alloca
; CHECK: store i32 7, ptr %[[FIRST:.+]], align
; CHECK: store double 2.500000e+00, ptr %[[SECOND:.+]], align
; CHECK: call i32 @sum(i32 2, ptr %[[BUFFER]])
define void @caller() {
  %r = call i32 (i32, ...) @sum(i32 2, i32 7, double 2.5)
  ret void
}

; CHECK-LABEL: define i32 @sum(i32 %count, ptr %varargs)
; CHECK-NOT: va_start
define i32 @sum(i32 %count, ...) {
  %list = alloca ptr
  call void @llvm.va_start.p0(ptr %list)
  %place = load ptr, ptr %list
  %value = load i32, ptr %place
  call void @llvm.va_end.p0(ptr %list)
  ret i32 %value
}
declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_end.p0(ptr)
