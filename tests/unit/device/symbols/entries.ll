; The entry loads each parameter from where the launch has put it, and calls the kernel. What is passed in memory goes on
; by address; a bool is a byte.
; RUN: %passes --only=collectKernels,makeKernelEntries | %check
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define ptx_kernel void @k(ptr %p, i1 %flag, ptr byval([3 x i64]) align 32 %copied, <4 x float> %v, ptr byref([2 x i16]) %one) {
  ret void
}
; CHECK-LABEL: define internal void @__hwd_entry.k(ptr noalias %0)
; CHECK: %[[P_AT:.+]] = load ptr, ptr %{{.+}}, !invariant.load
; CHECK: %[[P:.+]] = load ptr, ptr %[[P_AT]], {{.*}}!invariant.load
; CHECK: getelementptr {{.*}}ptr, ptr %0, i32 1
; CHECK: %[[BYTE:.+]] = load i8,
; CHECK: %[[FLAG:.+]] = trunc i8 %[[BYTE]] to i1
; CHECK: getelementptr {{.*}}ptr, ptr %0, i32 2
; CHECK: %[[COPIED:.+]] = load ptr
; CHECK: getelementptr {{.*}}ptr, ptr %0, i32 3
; CHECK: %[[V:.+]] = load <4 x float>
; CHECK: getelementptr {{.*}}ptr, ptr %0, i32 4
; CHECK: %[[ONE:.+]] = load ptr
; CHECK: call void @k(ptr %[[P]], i1 %[[FLAG]], ptr byval([3 x i64]) align 32 %[[COPIED]], <4 x float> %[[V]], ptr byref([2 x i16]) %[[ONE]])
; CHECK: ret void

; CHECK: ; k.parameter: 8 bytes at 8
; CHECK-NEXT: ; k.parameter: 1 bytes at 1
; CHECK-NEXT: ; k.parameter: 24 bytes at 32
; CHECK-NEXT: ; k.parameter: 16 bytes at 16
; CHECK-NEXT: ; k.parameter: 4 bytes at 2
