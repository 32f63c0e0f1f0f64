; A loop of the threads' own whose turns lie far apart has the memory of a later turn asked for: by its number where it is
; a recurrence, and where each turn keeps what to add in a variable that a loop inside writes. Rows of a block are not turns.
; Where turns lie close together the processor knows by itself, and it is the next block's that is asked for.
; RUN: %passes --only=prefetchAhead | %check
@hw_current = external thread_local global ptr

; CHECK-LABEL: define void @strided(
; CHECK: %[[AHEAD:.+]] = getelementptr i8, ptr %px, i64 16384
; CHECK: call void @llvm.prefetch.p0(ptr %[[AHEAD]]
define void @strided(ptr %x, ptr %y) #0 {
entry:
  br label %turn
turn:
  %i = phi i64 [ 0, %entry ], [ %next, %turn ]
  %px = getelementptr i8, ptr %x, i64 %i
  %v = load <8 x float>, ptr %px, align 4
  store <8 x float> %v, ptr %y, align 4
  %next = add i64 %i, 1024
  %more = icmp ult i64 %next, 65536
  br i1 %more, label %turn, label %end
end:
  ret void
}

; CHECK-LABEL: define void @kept(
; CHECK: %[[BYTES:.+]] = shl i64 %step, 6
; CHECK: %[[AHEAD:.+]] = getelementptr i8, ptr %px, i64 %[[BYTES]]
; CHECK: call void @llvm.prefetch.p0(ptr %[[AHEAD]]
define void @kept(ptr %x, ptr %y, i64 %step, i64 %n) #0 {
entry:
  br label %turn
turn:
  %i = phi i64 [ 0, %entry ], [ %left, %turn.end ]
  br label %row
row:
  %at = phi i64 [ %i, %turn ], [ %added, %row.end ]
  %y.row = phi i64 [ 0, %turn ], [ %y.next, %row.end ]
  br label %lanes
lanes:
  %t = phi i64 [ 0, %row ], [ %t.next, %lanes ]
  %sum = add i64 %i, %t
  %px = getelementptr float, ptr %x, i64 %sum
  %v = load <8 x float>, ptr %px, align 4
  store <8 x float> %v, ptr %y, align 4
  %own = add i64 %i, %step
  %t.next = add i64 %t, 8
  %more.lanes = icmp ult i64 %t.next, 32
  br i1 %more.lanes, label %lanes, label %row.end
row.end:
  %added = phi i64 [ %own, %lanes ]
  %y.next = add i64 %y.row, 1
  %more.rows = icmp ult i64 %y.next, 4
  br i1 %more.rows, label %row, label %turn.end, !llvm.loop !0
turn.end:
  %left = phi i64 [ %added, %row.end ]
  %more = icmp ult i64 %left, %n
  br i1 %more, label %turn, label %end
end:
  ret void
}

; CHECK-LABEL: define void @close(
; CHECK: %[[AHEAD:.+]] = getelementptr i8, ptr %px, i64 8192
; CHECK: call void @llvm.prefetch.p0(ptr %[[AHEAD]]
define void @close(ptr %x, ptr %y) #0 {
entry:
  %self = load ptr, ptr @hw_current
  %place = getelementptr i8, ptr %self, i64 16
  %block = load i32, ptr %place
  %first = shl i32 %block, 13
  %wide = zext i32 %first to i64
  br label %turn
turn:
  %i = phi i64 [ 0, %entry ], [ %next, %turn ]
  %at = add i64 %wide, %i
  %px = getelementptr i8, ptr %x, i64 %at
  %v = load <8 x float>, ptr %px, align 4
  store <8 x float> %v, ptr %y, align 4
  %next = add i64 %i, 32
  %more = icmp ult i64 %next, 8192
  br i1 %more, label %turn, label %end
end:
  ret void
}
attributes #0 = { "hostwarp-runs-block"="waits" }
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.row_loop"}
