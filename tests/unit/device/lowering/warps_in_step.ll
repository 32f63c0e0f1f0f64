; Lanes meet before and after a volatile store that others may see; not at loads, plain stores or a thread's own variables.
; RUN: %passes --only=keepWarpsInStep | %check

; CHECK-LABEL: define void @k(
; CHECK-NEXT: alloca
; CHECK-NEXT: store volatile i32 0, ptr %own
; CHECK-NEXT: load volatile
; CHECK-NEXT: call void @hw_syncwarp(i32 0)
; CHECK-NEXT: store volatile i32 %v, ptr %p
; CHECK-NEXT: call void @hw_syncwarp(i32 0)
; CHECK-NEXT: store i32 1, ptr %p
; CHECK-NEXT: ret void
define void @k(ptr %p) {
  %own = alloca i32
  store volatile i32 0, ptr %own
  %v = load volatile i32, ptr %p
  store volatile i32 %v, ptr %p
  store i32 1, ptr %p
  ret void
}
