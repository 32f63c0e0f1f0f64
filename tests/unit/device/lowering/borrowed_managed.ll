; Another build of an image finds the image's managed variables through pointers, which the runtime sets; variables of
; other units through such a pointer if there is one.
; RUN: %passes --borrow-managed --rdc --only=collectKernels,collectVariables,borrowVariables,emitImage | %check
@text.managed = private constant [17 x i8] c"hostwarp.managed\00", section "llvm.metadata"
@file = private constant [5 x i8] c"x.cu\00", section "llvm.metadata"
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr addrspacecast (ptr addrspace(1) @m to ptr), ptr @text.managed, ptr @file, i32 1, ptr null }
], section "llvm.metadata"
@v = addrspace(1) global i32 0
@m = addrspace(1) global [2 x i32] zeroinitializer
@elsewhere = external addrspace(1) global i32

; CHECK-DAG: @elsewhere = extern_weak addrspace(1) global i32
; CHECK-DAG: @hwm_place.m = hidden global ptr null
; CHECK-DAG: @hwm_place.elsewhere = extern_weak hidden global ptr
; Kind 3, and the pointer's address.
; CHECK-DAG: { ptr @{{.+}}, ptr @hwm_place.m, i64 8, i32 8, i32 3 }

; CHECK-LABEL: define i32 @read(
; CHECK-DAG: %m.place = load ptr, ptr @hwm_place.m, align 8, !invariant.load
; CHECK-DAG: %[[IS:.+]] = icmp ne ptr @hwm_place.elsewhere, null
; CHECK-DAG: select i1 %[[IS]], ptr @hwm_place.elsewhere, ptr @hwm_no_place
; CHECK: load i32, ptr addrspace(1) @v
; CHECK: ret i32
define i32 @read(i64 %i) {
  %at = getelementptr [2 x i32], ptr addrspace(1) @m, i64 0, i64 %i
  %a = load i32, ptr addrspace(1) %at
  %b = load i32, ptr addrspace(1) @v
  %c = load i32, ptr addrspace(1) @elsewhere
  %s = add i32 %a, %b
  %t = add i32 %s, %c
  ret i32 %t
}
