; With -rdc=true a kernel's name stands for a stub, which hands its address and those of its arguments to the runtime. The
; body goes elsewhere, and device code that calls the kernel calls the stub.
; RUN: %passes --rdc --only=collectKernels,makeLaunchStubs,markBlockingKernels | %check
; RUN: %passes --only=collectKernels,makeLaunchStubs | %check --check-prefix=WHOLE

; CHECK-LABEL: define ptx_kernel void @child(i32 %0, i1 %1, ptr byval([3 x i32]) align 4 %2)
; CHECK: %[[LIST:.+]] = alloca ptr, i32 3
; CHECK: %[[NUMBER:.+]] = alloca i32
; CHECK: store i32 %0, ptr %[[NUMBER]]
; CHECK: store ptr %[[NUMBER]], ptr %[[#]]
; A bool is a byte.
; CHECK: %[[BYTE:.+]] = zext i1 %1 to i8
; CHECK: store i8 %[[BYTE]], ptr %[[BOOL:.+]],
; CHECK: store ptr %[[BOOL]], ptr
; What is passed in memory is there already.
; CHECK: store ptr %2, ptr
; CHECK: call void @hw_prepare_launch(ptr @child, ptr %[[LIST]])
; CHECK-NEXT: ret void

; WHOLE-LABEL: define ptx_kernel void @child(i32 %n
; WHOLE: store i32
; WHOLE-NOT: hw_prepare_launch
define ptx_kernel void @child(i32 %n, i1 %b, ptr byval([3 x i32]) align 4 %s) {
  store i32 %n, ptr %s
  ret void
}

; CHECK-LABEL: define internal ptx_kernel void @child.body(i32 %n, i1 %b,
; CHECK-NEXT: store i32 %n, ptr %s
; CHECK-LABEL: define internal ptx_kernel void @parent.body(
; CHECK: call void @child(
define ptx_kernel void @parent(ptr %p) {
  call void @child(i32 1, i1 true, ptr byval([3 x i32]) align 4 %p)
  ret void
}
