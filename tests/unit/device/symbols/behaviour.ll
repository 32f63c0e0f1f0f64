; What a kernel may do, found through all that it may call.
; RUN: %passes --only=collectKernels,markBlockingKernels | %check

; CHECK-LABEL: ; kernel quiet
; CHECK-NOT: flag
define ptx_kernel void @quiet(ptr %p) {
  store i32 1, ptr %p
  %s = call i64 @hw_special_register(i32 0)
  ret void
}
; Threads of a block may wait for each other, and look at what others write.
; CHECK-LABEL: ; kernel stays
; CHECK-NOT: flag
define ptx_kernel void @stays(ptr %p) {
  %v = load volatile i32, ptr %p
  %old = atomicrmw add ptr %p, i32 1 seq_cst
  call void @hw_barrier(i32 0, i32 0)
  ret void
}
; CHECK-LABEL: ; kernel waits
; CHECK-NEXT: ; waits.flag: HW_KERNEL_MAY_BLOCK
; CHECK-NOT: flag
define ptx_kernel void @waits() {
  call void @helper()
  ret void
}
define void @helper() {
  call void @hw_grid_sync()
  ret void
}
; CHECK-LABEL: ; kernel spins
; CHECK-NEXT: ; spins.flag: HW_KERNEL_MAY_BLOCK
define ptx_kernel void @spins(ptr %p) {
  br label %again
again:
  %v = load volatile i32, ptr %p
  %set = icmp ne i32 %v, 0
  br i1 %set, label %done, label %again
done:
  ret void
}
; CHECK-LABEL: ; kernel prints
; CHECK-NOT: flag
define ptx_kernel void @prints(ptr %p) {
  %n = call i32 @hw_vprintf(ptr %p, ptr %p)
  ret void
}
; A function that is not known may be any.
; CHECK-LABEL: ; kernel calls
; CHECK-NEXT: ; calls.flag: HW_KERNEL_MAY_BLOCK
; CHECK-NEXT: ; calls.flag: HW_KERNEL_MAY_TRIGGER
define ptx_kernel void @calls(ptr %f) {
  call void %f()
  ret void
}
; One that the module takes the address of is looked at.
; CHECK-LABEL: ; kernel chooses
; CHECK-NOT: flag
define ptx_kernel void @chooses(ptr %p, i64 %i) {
  %at = getelementptr ptr, ptr @calm, i64 %i
  %f = load ptr, ptr %at
  call void %f(i64 %i)
  ret void
}
@calm = constant [2 x ptr] [ptr @nothing, ptr @more]
define void @nothing(i64 %i) { ret void }
define void @more(i64 %i) { ret void }
; CHECK-LABEL: ; kernel choosesWaiting
; CHECK-NEXT: ; choosesWaiting.flag: HW_KERNEL_MAY_BLOCK
define ptx_kernel void @choosesWaiting(ptr %p, i32 %i) {
  %at = getelementptr ptr, ptr @waiting, i32 %i
  %f = load ptr, ptr %at
  call void %f(i32 %i)
  ret void
}
@waiting = constant [2 x ptr] [ptr @waitingOne, ptr @another]
define void @waitingOne(i32 %i) {
  call void @hw_grid_sync()
  ret void
}
define void @another(i32 %i) { ret void }
; CHECK-LABEL: ; kernel launches
; CHECK: ; launches.flag: HW_KERNEL_LAUNCHES_KERNELS
define ptx_kernel void @launches(ptr %p) {
  call void @hw_start_launch(ptr %p, ptr %p, i64 0, ptr %p)
  ret void
}
; CHECK-LABEL: ; kernel triggers
; CHECK: ; triggers.flag: HW_KERNEL_MAY_TRIGGER
define ptx_kernel void @triggers() {
  call void @hw_trigger_dependents()
  ret void
}
declare i64 @hw_special_register(i32)
declare void @hw_barrier(i32, i32)
declare void @hw_grid_sync()
declare i32 @hw_vprintf(ptr, ptr)
declare void @hw_start_launch(ptr, ptr, i64, ptr)
declare void @hw_trigger_dependents()
