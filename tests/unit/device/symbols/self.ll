; The running thread is in a variable of the OS thread, which does not change while a CUDA thread lives.
; RUN: %passes --only=lowerSelf | %check
; CHECK: @hw_current = external thread_local(initialexec) global ptr
; CHECK-LABEL: define i32 @f(
; CHECK: %[[AT:.+]] = call ptr @llvm.threadlocal.address.p0(ptr @hw_current)
; CHECK: load ptr, ptr %[[AT]], {{.*}}!invariant.load
; CHECK-NOT: hw_self
define i32 @f() {
  %self = call ptr @hw_self()
  %lane = load i32, ptr %self
  ret i32 %lane
}
declare ptr @hw_self()
