; Elements at several distances from one index of each lane's are looked up once whether they are side by side: what lanes
; share of an index is no part of the question. It is added to the first lane's with 32 bits, as the program does: sums and
; differences may leave their range and come back.
; RUN: %passes --only=vectoriseThreadLoops | %check

; CHECK-LABEL: define void @distances(
; CHECK: %[[ROOT:.+]] = load <8 x i32>
; CHECK: %[[STARTS:.+]] = sub <8 x i32> %[[ROOT]], <i32 0, i32 1, i32 2,
; CHECK: %[[START:.+]] = extractelement <8 x i32> %[[STARTS]], i32 0
; CHECK: %[[WHOLE:.+]] = add i32 %[[START]], 3
; CHECK: icmp sle i32 %[[WHOLE]], 2147483639
; CHECK: sext i32 %[[WHOLE]] to i64
; CHECK-COUNT-4: sub <8 x i32> %[[ROOT]], <i32 0, i32 1, i32 2,
; CHECK-NOT: sub <8 x i32> %{{.+}}, <i32 0, i32 1
; CHECK: {{^}}}
define void @distances(ptr %args, ptr noalias %frame, ptr noalias %x, ptr noalias %y, i32 %pitch) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %thread ]
  %px = getelementptr inbounds i32, ptr %x, i64 %t
  %index = load i32, ptr %px
  %i1 = add nsw i32 %index, 3
  %w1 = sext i32 %i1 to i64
  %p1 = getelementptr inbounds float, ptr %y, i64 %w1
  %v1 = load float, ptr %p1
  %i2 = add nsw i32 %i1, %pitch
  %w2 = sext i32 %i2 to i64
  %p2 = getelementptr inbounds float, ptr %y, i64 %w2
  %v2 = load float, ptr %p2
  %i3 = add nsw i32 %i2, -9
  %w3 = sext i32 %i3 to i64
  %p3 = getelementptr inbounds float, ptr %y, i64 %w3
  %v3 = load float, ptr %p3
  %i4 = add i32 %index, %pitch
  %w4 = sext i32 %i4 to i64
  %p4 = getelementptr inbounds float, ptr %y, i64 %w4
  %v4 = load float, ptr %p4
  %i5 = sub nsw i32 %index, %pitch
  %w5 = sext i32 %i5 to i64
  %p5 = getelementptr inbounds float, ptr %y, i64 %w5
  %v5 = load float, ptr %p5
  %d = fdiv float %v5, %v1
  %a = fdiv float %d, %v2
  %b = fdiv float %v3, %v4
  %c = fdiv float %a, %b
  %own = getelementptr inbounds float, ptr %frame, i64 %t
  store float %c, ptr %own
  %next = add nuw nsw i64 %t, 1
  %end = icmp eq i64 %next, 256
  br i1 %end, label %done, label %thread, !llvm.loop !0
done:
  ret void
}
attributes #0 = { "hostwarp-runs-block" "target-cpu"="x86-64-v3" }
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.thread_loop"}
