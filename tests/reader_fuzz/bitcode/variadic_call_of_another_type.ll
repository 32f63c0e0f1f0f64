target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define void @caller() {
  %r = call i32 (i32, ...) @sum(i32 2, i32 7, double 2.5)
  ret void
}
define i32 @sum(i33 %count, ...) {
  %list = alloca ptr
  call void @llvm.va_start.p0(ptr %list)
  %place = load ptr, ptr %list
  %value = load i32, ptr %place
  call void @llvm.va_end.p0(ptr %list)
  ret i32 %value
}
declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_end.p0(ptr)
