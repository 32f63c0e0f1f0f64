; A meeting of lanes keeps the order of volatile stores and other accesses of the same memory. One that a barrier makes
; superfluous, or that has nothing to keep apart, goes.
; RUN: %passes --only=dropNeedlessMeetings | %check

; Nothing is in front of it.
; CHECK-LABEL: define void @nothing_before(
; CHECK-NOT: hw_syncwarp
; CHECK: ret void
define void @nothing_before(ptr %p) {
  call void @hw_syncwarp(i32 0)
  store volatile i32 1, ptr %p
  ret void
}
; Lanes read what others store afterwards, and the other way round: both stay.
; CHECK-LABEL: define void @exchange(
; CHECK: load volatile
; CHECK-NEXT: call void @hw_syncwarp(i32 0)
; CHECK-NEXT: store volatile
; CHECK-NEXT: call void @hw_syncwarp(i32 0)
; CHECK-NEXT: load volatile
define i32 @use(i32 %v) { ret i32 %v }
define void @exchange(ptr %p, ptr %q) {
  %v = load volatile i32, ptr %p
  call void @hw_syncwarp(i32 0)
  store volatile i32 %v, ptr %q
  call void @hw_syncwarp(i32 0)
  %u = load volatile i32, ptr %p
  ret void
}
; The barrier keeps the order.
; CHECK-LABEL: define void @barrier_follows(
; CHECK: store volatile
; CHECK-NEXT: call void @hw_barrier(
define void @barrier_follows(ptr %p) {
  store volatile i32 1, ptr %p
  call void @hw_syncwarp(i32 0)
  call void @hw_barrier(i32 0, i32 0)
  %u = load volatile i32, ptr %p
  ret void
}
; A barrier that some threads do not come to does not.
; CHECK-LABEL: define void @named_barrier_follows(
; CHECK: store volatile
; CHECK-NEXT: call void @hw_syncwarp(i32 0)
define void @named_barrier_follows(ptr %p) {
  store volatile i32 1, ptr %p
  call void @hw_syncwarp(i32 0)
  call void @hw_barrier(i32 1, i32 64)
  %u = load volatile i32, ptr %p
  ret void
}
; A thread's own variable is nobody else's.
; CHECK-LABEL: define void @own(
; CHECK-NOT: hw_syncwarp
; CHECK: ret void
define void @own(ptr %p) {
  %local = alloca i32
  %v = load i32, ptr %local
  call void @hw_syncwarp(i32 0)
  store volatile i32 %v, ptr %p
  ret void
}
; The user's own meetings stay.
; CHECK-LABEL: define void @by_mask(
; CHECK: call void @hw_syncwarp(i32 -1)
define void @by_mask() {
  call void @hw_syncwarp(i32 -1)
  ret void
}
; Around a loop: what comes in the next turn counts, and only where there is one.
; CHECK-LABEL: define void @loop(
; CHECK: store volatile
; CHECK-NEXT: add
; CHECK-NEXT: icmp
; CHECK-NEXT: br i1 %more, label %[[BACK:.+]], label %end
; CHECK: [[BACK]]:
; CHECK-NEXT: call void @hw_syncwarp(i32 0)
; CHECK-NEXT: br label %turn
; CHECK: end:
; CHECK-NEXT: ret void
define void @loop(ptr %p, i32 %n) {
entry:
  br label %turn
turn:
  %i = phi i32 [ 0, %entry ], [ %next, %turn ]
  %v = load volatile i32, ptr %p
  store volatile i32 %i, ptr %p
  call void @hw_syncwarp(i32 0)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %turn, label %end
end:
  ret void
}
; Only one of two ways on needs it: it stands there.
; CHECK-LABEL: define void @one_way(
; CHECK: store volatile
; CHECK-NEXT: br i1 %c, label %[[WAY:.+]], label %end
; CHECK: [[WAY]]:
; CHECK-NEXT: call void @hw_syncwarp(i32 0)
define void @one_way(ptr %p, i1 %c) {
  store volatile i32 1, ptr %p
  call void @hw_syncwarp(i32 0)
  br i1 %c, label %reads, label %end
reads:
  %u = load volatile i32, ptr %p
  br label %end
end:
  ret void
}
declare void @hw_syncwarp(i32)
declare void @hw_barrier(i32, i32)
