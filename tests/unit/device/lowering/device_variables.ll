; Accesses of module variables are displaced by what the running device says, once per function; managed variables,
; read-only data and shared memory are not.
; RUN: %passes --only=collectKernels,collectVariables,lowerDeviceVariables | %check
@text.managed = private constant [17 x i8] c"hostwarp.managed\00", section "llvm.metadata"
@file = private constant [5 x i8] c"x.cu\00", section "llvm.metadata"
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr addrspacecast (ptr addrspace(1) @m to ptr), ptr @text.managed, ptr @file, i32 1, ptr null }
], section "llvm.metadata"
@v = addrspace(1) global [4 x i32] zeroinitializer
@m = addrspace(1) global i32 0
@c = addrspace(4) global i32 0
@literal = private constant i32 7

; CHECK-LABEL: define i32 @read(
; CHECK-DAG: %v.here = getelementptr i8, ptr addrspace(1) @v, i64 %{{.+}}
; CHECK-DAG: %c.here = getelementptr i8, ptr addrspace(4) @c, i64 %{{.+}}
; CHECK: %[[ELEMENT:.+]] = getelementptr {{.*}}ptr addrspace(1) %v.here, i64
; CHECK: load i32, ptr addrspace(1) %[[ELEMENT]]
; CHECK: load i32, ptr addrspace(1) %v.here
; CHECK: load i32, ptr addrspace(4) %c.here
; CHECK: load i32, ptr addrspace(1) @m
; CHECK: load i32, ptr @literal
define i32 @read() {
  %a = load i32, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @v, i64 4)
  %z = load i32, ptr addrspace(1) @v
  %b = load i32, ptr addrspace(4) @c
  %d = load i32, ptr addrspace(1) @m
  %e = load i32, ptr @literal
  %f = add i32 %a, %b
  %g = add i32 %d, %e
  %h = add i32 %f, %g
  %i = add i32 %h, %z
  ret i32 %i
}
