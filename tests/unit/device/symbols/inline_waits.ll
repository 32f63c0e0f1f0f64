; Functions in which threads wait become part of the kernel, and so do those that call them; not those that call
; themselves, and at -O0 none.
; RUN: %passes --only=inlineWaits | %check
; RUN: %passes -O0 --only=inlineWaits | %check --check-prefix=NONE
; NONE-NOT: alwaysinline

; CHECK: define void @waits() #[[INLINE:[0-9]+]]
define void @waits() noinline {
  call void @hw_barrier(i32 0, i32 0)
  ret void
}
; CHECK: define void @outer() #[[INLINE]]
define void @outer() noinline optnone {
  call void @waits()
  ret void
}
; CHECK: define void @sleeps() #[[INLINE]]
define void @sleeps() {
  call void @hw_nanosleep(i32 5)
  ret void
}
; CHECK-LABEL: define void @recursive() {
define void @recursive() {
  call void @hw_syncwarp(i32 -1)
  call void @recursive()
  ret void
}
; CHECK: define void @works(ptr %p) #[[NOT:[0-9]+]]
define void @works(ptr %p) noinline {
  store i32 1, ptr %p
  ret void
}
; CHECK: define void @named() #[[INLINE]]
define void @named() noinline {
  call void @hw_barrier(i32 1, i32 0)
  ret void
}
; CHECK: attributes #[[INLINE]] = { alwaysinline }
; CHECK: attributes #[[NOT]] = { noinline }
declare void @hw_barrier(i32, i32)
declare void @hw_syncwarp(i32)
declare void @hw_nanosleep(i32)
