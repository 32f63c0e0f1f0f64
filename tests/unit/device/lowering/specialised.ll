; The specialised build has one kernel and what that reaches, and no variables of its own: it finds each through a pointer
; that the runtime sets, on the running device; managed ones exist once.
; RUN: %passes --kernel=wanted --until=lowerDeviceVariables | %check
target triple = "nvptx64-nvidia-cuda"
@text.managed = private constant [17 x i8] c"hostwarp.managed\00", section "llvm.metadata"
@file = private constant [5 x i8] c"x.cu\00", section "llvm.metadata"
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr addrspacecast (ptr addrspace(1) @m to ptr), ptr @text.managed, ptr @file, i32 1, ptr null }
], section "llvm.metadata"
@v = addrspace(1) externally_initialized global i32 7
@where = addrspace(1) externally_initialized global ptr addrspacecast (ptr addrspace(1) @v to ptr)
@c = addrspace(4) externally_initialized global i32 0
@m = addrspace(1) externally_initialized global i32 0
@unused = addrspace(1) externally_initialized global i32 0
@llvm.compiler.used = appending global [1 x ptr] [ptr addrspacecast (ptr addrspace(1) @unused to ptr)], section "llvm.metadata"

; CHECK-NOT: @unused
; CHECK-NOT: @v =
; CHECK-DAG: @hwm_place.v = internal global ptr null
; CHECK-DAG: @hwm_place.where = internal global ptr null
; CHECK-DAG: @hwm_place.c = internal global ptr null
; CHECK-DAG: @hwm_place.m = internal global ptr null
; CHECK-NOT: @other

; CHECK-LABEL: define internal i32 @helper(
; CHECK: %[[PLACE:.+]] = load ptr, ptr @hwm_place.v, align 8, !invariant.load
; CHECK: getelementptr i8, ptr %[[PLACE]], i64 %
define i32 @helper(i32 %i) {
  %a = load i32, ptr addrspace(1) @v
  %b = add i32 %a, %i
  ret i32 %b
}

; CHECK-LABEL: define {{.*}}void @wanted(
; CHECK-DAG: load ptr, ptr @hwm_place.where
; CHECK-DAG: load ptr, ptr @hwm_place.c
; CHECK-DAG: %[[M:.+]] = load ptr, ptr @hwm_place.m
; CHECK-NOT: getelementptr i8, ptr %[[M]]
; CHECK: ret void
define void @wanted(ptr %out) {
  %p = load ptr, ptr addrspace(1) @where
  %a = load i32, ptr %p
  %c = load i32, ptr addrspace(4) @c
  %m = load i32, ptr addrspace(1) @m
  %h = call i32 @helper(i32 %c)
  %s = add i32 %a, %m
  %t = add i32 %s, %h
  store i32 %t, ptr %out
  ret void
}

define void @other(ptr %out) {
  store i32 0, ptr addrspace(1) @unused
  ret void
}

!nvvm.annotations = !{!0, !1}
!0 = !{ptr @wanted, !"kernel", i32 1}
!1 = !{ptr @other, !"kernel", i32 1}
