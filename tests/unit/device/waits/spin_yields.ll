; A loop whose end depends on what another thread writes counts its turns down, and lets others run at zero. Loops that
; only count, that try again to change a word, or that run a whole block do not.
; RUN: %passes --only=addSpinYields | %check

; CHECK-LABEL: define void @flag(
; CHECK: %[[LEFT:.+]] = sub i32 %{{.+}}, 1
; CHECK: store i32 %[[LEFT]]
; CHECK: icmp sle i32 %[[LEFT]], 0
; CHECK: call void @hw_yield()
define void @flag(ptr %p) {
entry:
  br label %spin
spin:
  %seen = load volatile i32, ptr %p
  %there = icmp ne i32 %seen, 0
  br i1 %there, label %end, label %spin
end:
  ret void
}
; CHECK-LABEL: define void @lock(
; CHECK: call void @hw_yield()
define void @lock(ptr %p) {
entry:
  br label %spin
spin:
  %pair = cmpxchg ptr %p, i32 0, i32 1 acquire monotonic
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %spin
end:
  ret void
}
; CHECK-LABEL: define void @ordered_by_fence(
; CHECK: call void @hw_yield()
define void @ordered_by_fence(ptr %p) {
entry:
  br label %spin
spin:
  fence seq_cst
  %seen = load i32, ptr %p
  %there = icmp ne i32 %seen, 0
  br i1 %there, label %end, label %spin
end:
  ret void
}
; Not optimised: the read goes through a variable on the stack.
; CHECK-LABEL: define void @through_variable(
; CHECK: call void @hw_yield()
define void @through_variable(ptr %p) {
entry:
  %v = alloca i32
  br label %spin
spin:
  %seen = load volatile i32, ptr %p
  store i32 %seen, ptr %v
  %again = load i32, ptr %v
  %there = icmp ne i32 %again, 0
  br i1 %there, label %end, label %spin
end:
  ret void
}
; The read decides the way, and the way decides the exit: `do { again = false; if (*p) again = true; } while (again);`
; CHECK-LABEL: define void @by_control(
; CHECK: call void @hw_yield()
define void @by_control(ptr %p) {
entry:
  br label %spin
spin:
  %seen = load volatile i32, ptr %p
  %c = icmp ne i32 %seen, 0
  br i1 %c, label %waits, label %join
waits:
  br label %join
join:
  %again = phi i1 [ true, %waits ], [ false, %spin ]
  br i1 %again, label %spin, label %end
end:
  ret void
}
; CHECK-LABEL: define void @counts(
; CHECK-NOT: hw_yield
; CHECK: ret void
define void @counts(ptr %p, i32 %n) {
entry:
  br label %turn
turn:
  %i = phi i32 [ 0, %entry ], [ %next, %turn ]
  store volatile i32 %i, ptr %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %turn, label %end
end:
  ret void
}
; CHECK-LABEL: define void @tries_again(
; CHECK-NOT: hw_yield
; CHECK: ret void
define void @tries_again(ptr %p, i32 %v) {
entry:
  %first = load i32, ptr %p
  br label %turn
turn:
  %old = phi i32 [ %first, %entry ], [ %found, %turn ]
  %new = mul i32 %old, %v
  %pair = cmpxchg ptr %p, i32 %old, i32 %new monotonic monotonic
  %found = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %turn
end:
  ret void
}
; CHECK-LABEL: define void @block(
; CHECK-NOT: hw_yield
; CHECK: ret void
define void @block(ptr %p) "hostwarp-runs-block" {
entry:
  br label %spin
spin:
  %seen = load volatile i32, ptr %p
  %there = icmp ne i32 %seen, 0
  br i1 %there, label %end, label %spin
end:
  ret void
}
