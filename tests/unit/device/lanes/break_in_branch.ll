; A loop that all would leave in the same turn, but only some lanes come to where it is left: it goes on for the others.
; RUN: %passes --only=vectoriseThreadLoops | %check

; CHECK-LABEL: define void @k(
; CHECK: loop:
; CHECK: phi <16 x i1> [ <i1 true, {{[^>]+}}>, %{{.+}} ], [ %[[GO:[^ ]+]], %{{.+}} ]
; Those that stop are not among the lanes that end the turn.
; CHECK: any:
; CHECK: %[[REST:.+]] = or <16 x i1> %{{.+}}, %{{.+}}
; CHECK: none:
; CHECK: %[[MASK:.+]] = phi <16 x i1> [ %[[REST]], %any ]
; CHECK: call i1 @llvm.vector.reduce.or.v16i1(<16 x i1> %[[MASK]])
; CHECK: select i1 %{{.+}}, <16 x i1> %[[MASK]], <16 x i1> zeroinitializer
; CHECK: %[[ANY:.+]] = call i1 @llvm.vector.reduce.or.v16i1(<16 x i1> %[[GO]])
; CHECK: br i1 %[[ANY]], label %loop, label %loop.end
define void @k(ptr %x, ptr noalias %y, ptr %stop, i64 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %left ]
  %px = getelementptr inbounds i32, ptr %x, i64 %i
  %v = load i32, ptr %px, align 4
  %odd = and i32 %v, 1
  %may.stop = icmp eq i32 %odd, 0
  br label %turn
turn:
  %j = phi i32 [ 0, %thread ], [ %j.next, %latch ]
  %sum = phi i32 [ 0, %thread ], [ %sum.next, %latch ]
  %sum.next = add i32 %sum, %v
  br i1 %may.stop, label %may, label %latch
may:
  %last = load i32, ptr %stop, align 4
  %stops = icmp eq i32 %j, %last
  br i1 %stops, label %left, label %latch
latch:
  %j.next = add i32 %j, 1
  %goes.on = icmp ult i32 %j.next, 100
  br i1 %goes.on, label %turn, label %left
left:
  %all = phi i32 [ %sum.next, %may ], [ %sum.next, %latch ]
  %py = getelementptr inbounds i32, ptr %y, i64 %i
  store i32 %all, ptr %py, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
attributes #0 = { "hostwarp-runs-block" "target-cpu"="x86-64-v4" }
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.thread_loop"}
