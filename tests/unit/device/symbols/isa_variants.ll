; Every function exists once per ISA level, and calls those of its own level. Its address, in code and in initialisers, is
; that of a function that looks which level the machine has; the runtime gets that of the level. The threads' entry of a kernel with a block entry has no finest variant.
; RUN: %passes --only=collectKernels,makeKernelEntries,makeIsaVariants | %check
target triple = "x86_64-pc-linux-gnu"

; CHECK: @table = constant [1 x ptr] [ptr @callee.dispatch]
@table = constant [1 x ptr] [ptr @callee]

define internal i32 @callee(i32 %x) {
  ret i32 %x
}
define internal void @k(ptr %p) {
  %r = call i32 @callee(i32 1)
  store ptr @callee, ptr %p
  call void @hw_warp_together(ptr @callee)
  ret void
}
; CHECK: define internal i32 @callee(i32 %x) #[[BASE:[0-9]+]]
; CHECK: define internal void @k(ptr %p) #[[BASE]]
; CHECK-NEXT: call i32 @callee(
; CHECK: define internal i32 @callee.avx2(i32 %x) #[[AVX2:[0-9]+]]
; CHECK-LABEL: define internal void @k.avx2(
; CHECK-NEXT: call i32 @callee.avx2(
; CHECK-NEXT: store ptr @callee.dispatch, ptr %p
; CHECK-NEXT: call void @hw_warp_together(ptr @callee.avx2)
; CHECK-LABEL: define internal i32 @callee.avx512(
; CHECK-LABEL: define internal void @k.avx512(
; CHECK-NEXT: call i32 @callee.avx512(

; CHECK-LABEL: define internal i32 @callee.dispatch(
; CHECK: %[[LEVEL:.+]] = load i32, ptr @hw_isa_level
; CHECK: switch i32 %[[LEVEL]], label %[[L0:.+]] [
; CHECK-NEXT: i32 1, label %[[L1:.+]]
; CHECK-NEXT: i32 2, label %[[L2:.+]]
; CHECK: musttail call i32 @callee(i32
; CHECK: musttail call i32 @callee.avx2(i32
; CHECK: musttail call i32 @callee.avx512(i32

; CHECK-DAG: attributes #[[BASE]] = {{.*}}"target-cpu"="x86-64" "target-features"="+cx16"
; CHECK-DAG: attributes #[[AVX2]] = {{.*}}"target-cpu"="x86-64-v3"
; CHECK-DAG: "target-cpu"="x86-64-v4"
declare void @hw_warp_together(ptr)
