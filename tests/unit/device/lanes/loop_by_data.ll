; A loop that threads leave in different turns goes on while any of them does; what a thread has then is kept for it.
; RUN: %passes --only=vectoriseThreadLoops | %check

; CHECK-LABEL: define void @k(
; CHECK: loop:
; CHECK: %[[LIVE:.+]] = phi <16 x i1> [ <i1 true, {{[^>]+}}>, %{{.+}} ], [ %{{.+}}, %{{.+}} ]
; CHECK: loop.end:
; CHECK: store <16 x i32>
; CHECK: %[[MORE:.+]] = icmp ugt <16 x i32>
; CHECK: %[[GO:.+]] = select <16 x i1> %[[LIVE]], <16 x i1> %[[MORE]], <16 x i1> zeroinitializer
; CHECK: select <16 x i1> %{{.+}}, <16 x i32> %{{.+}}, <16 x i32> %{{.+}}
; CHECK: %[[ANY:.+]] = call i1 @llvm.vector.reduce.or.v16i1(<16 x i1> %[[GO]])
; CHECK: br i1 %[[ANY]], label %loop, label %loop.end
define void @k(ptr %x, ptr %y, i64 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %left ]
  %px = getelementptr inbounds i32, ptr %x, i64 %i
  %v = load i32, ptr %px, align 4
  br label %turn
turn:
  %c = phi i32 [ %v, %thread ], [ %half, %turn ]
  %turns = phi i32 [ 0, %thread ], [ %turns.next, %turn ]
  %turns.next = add i32 %turns, 1
  %half = lshr i32 %c, 1
  %goes.on = icmp ugt i32 %half, 1
  br i1 %goes.on, label %turn, label %left
left:
  %all = phi i32 [ %turns.next, %turn ]
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
