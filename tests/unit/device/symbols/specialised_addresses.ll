; A specialised build has functions of its own. It is refused where code may tell the address of one, since programs
; compare it with the image's. Calls tell none, nor do tables of virtual functions.
; RUN: not %passes --kernel=stores --only=collectKernels,keepSpecialised,refuseOwnAddresses 2>&1 | %check --check-prefix=STORES
; RUN: not %passes --kernel=compares --only=collectKernels,keepSpecialised,refuseOwnAddresses 2>&1 | %check --check-prefix=COMPARES
; RUN: not %passes --kernel=reads --only=collectKernels,keepSpecialised,refuseOwnAddresses 2>&1 | %check --check-prefix=READS
; RUN: %passes --kernel=calls --only=collectKernels,keepSpecialised,refuseOwnAddresses | %check --check-prefix=CALLS
target triple = "nvptx64-nvidia-cuda"

; STORES: error: stores may tell the address of a function
define void @stores(ptr %p) {
  store ptr @f, ptr %p
  ret void
}

; COMPARES: error: compares may tell the address of a function
define void @compares(ptr %p, ptr %given) {
  %same = icmp eq ptr %given, @f
  %number = zext i1 %same to i32
  store i32 %number, ptr %p
  ret void
}

; READS: error: reads may tell the address of a function
@table = internal constant [2 x ptr] [ptr @f, ptr @f]
define void @reads(ptr %p, i64 %i) {
  %at = getelementptr ptr, ptr @table, i64 %i
  %function = load ptr, ptr %at
  store ptr %function, ptr %p
  ret void
}

; The runtime calls what it is given.
; CALLS-LABEL: define void @calls(
; CALLS: call void @f(
@__hwd__ZTV5Shape = internal constant [3 x ptr] [ptr null, ptr null, ptr @f]
define void @calls(ptr %p) {
  call void @f(ptr %p)
  call void @hw_warp_together(i32 -1, ptr %p, ptr @f)
  store ptr getelementptr ([3 x ptr], ptr @__hwd__ZTV5Shape, i64 0, i64 2), ptr %p
  ret void
}

define internal void @f(ptr %p) {
  store i32 1, ptr %p
  ret void
}
declare void @hw_warp_together(i32, ptr, ptr)

!nvvm.annotations = !{!0, !1, !2, !3}
!0 = !{ptr @stores, !"kernel", i32 1}
!1 = !{ptr @compares, !"kernel", i32 1}
!2 = !{ptr @reads, !"kernel", i32 1}
!3 = !{ptr @calls, !"kernel", i32 1}
