; A loop with barriers whose turns halve or double a number has each step's code for itself. Loops that count, that nobody
; knows the turns of, that have very many, or that the program wants to keep, stay loops; those that were kept
; rolled for all shapes of block do not.
; RUN: %passes --only=unrollSteps | %check

; CHECK-LABEL: define void @halved(
; CHECK-COUNT-4: call void @hw_barrier
; CHECK-NOT: br label %turn
; CHECK: ret void
define void @halved(ptr %p) {
entry:
  br label %turn
turn:
  %n = phi i32 [ 8, %entry ], [ %next, %turn ]
  %q = getelementptr i32, ptr %p, i32 %n
  store i32 %n, ptr %q
  call void @hw_barrier(i32 0, i32 0)
  %next = lshr i32 %n, 1
  %more = icmp ne i32 %next, 0
  br i1 %more, label %turn, label %end
end:
  ret void
}
; CHECK-LABEL: define void @doubled(
; CHECK-COUNT-4: call void @hw_barrier
; CHECK-NOT: br label %turn
; CHECK: ret void
define void @doubled(ptr %p) {
entry:
  br label %turn
turn:
  %n = phi i32 [ 1, %entry ], [ %next, %turn ]
  %q = getelementptr i32, ptr %p, i32 %n
  store i32 %n, ptr %q
  call void @hw_barrier(i32 0, i32 0)
  %next = shl i32 %n, 1
  %more = icmp ult i32 %next, 16
  br i1 %more, label %turn, label %end, !llvm.loop !0
end:
  ret void
}
; CHECK-LABEL: define void @power(
; CHECK-COUNT-4: call void @hw_barrier
; CHECK-NOT: br label %turn
; CHECK: ret void
define void @power(ptr %p) {
entry:
  br label %turn
turn:
  %n = phi i32 [ 0, %entry ], [ %next, %turn ]
  %distance = shl i32 1, %n
  store i32 %distance, ptr %p
  %q = getelementptr i32, ptr %p, i32 %n
  store i32 %n, ptr %q
  call void @hw_barrier(i32 0, i32 0)
  %next = add i32 %n, 1
  %more = icmp ult i32 %next, 4
  br i1 %more, label %turn, label %end
end:
  ret void
}
; CHECK-LABEL: define void @counted(
; CHECK-COUNT-1: call void @hw_barrier
; CHECK: br i1 %more, label %turn
define void @counted(ptr %p) {
entry:
  br label %turn
turn:
  %n = phi i32 [ 0, %entry ], [ %next, %turn ]
  %q = getelementptr i32, ptr %p, i32 %n
  store i32 %n, ptr %q
  call void @hw_barrier(i32 0, i32 0)
  %next = add i32 %n, 1
  %more = icmp ult i32 %next, 4
  br i1 %more, label %turn, label %end
end:
  ret void
}
; CHECK-LABEL: define void @many(
; CHECK-COUNT-1: call void @hw_barrier
; CHECK: br i1 %more, label %turn
define void @many(ptr %p) {
entry:
  br label %turn
turn:
  %n = phi i32 [ 1, %entry ], [ %next, %turn ]
  %q = getelementptr i32, ptr %p, i32 %n
  store i32 %n, ptr %q
  call void @hw_barrier(i32 0, i32 0)
  %next = shl i32 %n, 1
  %more = icmp ne i32 %next, 0
  br i1 %more, label %turn, label %end
end:
  ret void
}
; CHECK-LABEL: define void @wished(
; CHECK-COUNT-1: call void @hw_barrier
; CHECK: br i1 %more, label %turn
define void @wished(ptr %p) {
entry:
  br label %turn
turn:
  %n = phi i32 [ 8, %entry ], [ %next, %turn ]
  %q = getelementptr i32, ptr %p, i32 %n
  store i32 %n, ptr %q
  call void @hw_barrier(i32 0, i32 0)
  %next = lshr i32 %n, 1
  %more = icmp ne i32 %next, 0
  br i1 %more, label %turn, label %end, !llvm.loop !2
end:
  ret void
}
; CHECK-LABEL: define void @unknown(
; CHECK: br i1 %more, label %turn
define void @unknown(ptr %p, i32 %first) {
entry:
  br label %turn
turn:
  %n = phi i32 [ %first, %entry ], [ %next, %turn ]
  call void @hw_barrier(i32 0, i32 0)
  %next = lshr i32 %n, 1
  %more = icmp ne i32 %next, 0
  br i1 %more, label %turn, label %end
end:
  ret void
}
; The steps of a network: loops inside have a number of turns once the one around them is gone.
; CHECK-LABEL: define void @network(
; CHECK-COUNT-10: call void @hw_barrier
; CHECK-NOT: call void @hw_barrier
; CHECK: ret void
define void @network(ptr %p, i32 %first) {
entry:
  br label %begin
begin:
  %size = phi i32 [ 1, %entry ], [ %twice, %latch ]
  br label %turn
turn:
  %n = phi i32 [ %size, %begin ], [ %next, %turn ]
  call void @hw_barrier(i32 0, i32 0)
  %next = lshr i32 %n, 1
  %again = icmp ne i32 %next, 0
  br i1 %again, label %turn, label %latch
latch:
  %twice = shl i32 %size, 1
  %more = icmp ult i32 %twice, 16
  br i1 %more, label %begin, label %end
end:
  ret void
}
declare void @hw_barrier(i32, i32)
!0 = distinct !{!0, !1, !3}
!1 = !{!"llvm.loop.unroll.disable"}
!2 = distinct !{!2, !1}
!3 = !{!"hostwarp.kept_rolled", i32 1}
