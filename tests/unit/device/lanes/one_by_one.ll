; What has no vector form is done for each lane, in their order.
; RUN: %passes --only=vectoriseThreadLoops | %check

; CHECK-LABEL: define void @k(
; CHECK: lane:
; CHECK: phi i16 [ -1, %{{.+}} ]
; CHECK: call i16 @llvm.cttz.i16(
; CHECK: atomicrmw add ptr
; CHECK: br i1 %{{.+}}, label %lane, label %lanes.done
define void @k(ptr %x, ptr %bins, i64 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %left ]
  br label %turn
turn:
  %j = phi i64 [ 0, %thread ], [ %j.next, %turn ]
  %at = add nuw nsw i64 %j, %i
  %px = getelementptr inbounds i32, ptr %x, i64 %at
  %v = load i32, ptr %px, align 4
  %bin = and i32 %v, 255
  %bin64 = zext i32 %bin to i64
  %pb = getelementptr inbounds i32, ptr %bins, i64 %bin64
  %old = atomicrmw add ptr %pb, i32 1 monotonic, align 4
  %j.next = add nuw nsw i64 %j, 64
  %goes.on = icmp ult i64 %j.next, 6400
  br i1 %goes.on, label %turn, label %left
left:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
attributes #0 = { "hostwarp-runs-block" "target-cpu"="x86-64-v4" }
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.thread_loop"}
