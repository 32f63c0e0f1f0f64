; Memory side by side is one wide access, what all threads read is read once, and the loop of before takes the rest,
; which is too short for LLVM to make vectors of it.
; RUN: %passes --only=vectoriseThreadLoops | %check

; CHECK-LABEL: define void @k(
; CHECK: %taken = and i64 %{{.+}}, -16
; CHECK: br i1 %{{.+}}, label %lanes.entry, label %rest
; CHECK: lanes.end:
; CHECK: br i1 %{{.+}}, label %end, label %rest
; CHECK: turn:
; CHECK: %[[FACTOR:.+]] = load float, ptr %factor
; CHECK: %[[X:.+]] = load <16 x float>, ptr %{{.+}}, align 4
; CHECK: %[[SPLAT:.+]] = shufflevector <16 x float> %{{.+}}, <16 x float> poison, <16 x i32> zeroinitializer
; CHECK: %[[PRODUCT:.+]] = fmul <16 x float> %[[X]], %[[SPLAT]]
; CHECK: store <16 x float> %[[PRODUCT]], ptr %{{.+}}, align 4
; CHECK: rest:
; CHECK: phi i64 [ 0, %entry ], [ %{{.+}}, %lanes.end ]
; CHECK: thread:
; CHECK: load float, ptr %px
; CHECK: br i1 %more, label %thread, label %end, !llvm.loop ![[REST:[0-9]+]]
; CHECK: ![[REST]] = distinct !{![[REST]], !{{[0-9]+}}, ![[SCALAR:[0-9]+]]}
; CHECK: ![[SCALAR]] = !{!"llvm.loop.isvectorized", i32 1}
define void @k(ptr %x, ptr %y, ptr %factor, i64 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %f = load float, ptr %factor
  %px = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %px, align 4
  %product = fmul float %v, %f
  %py = getelementptr inbounds float, ptr %y, i64 %i
  store float %product, ptr %py, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
attributes #0 = { "hostwarp-runs-block" "target-cpu"="x86-64-v4" }
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.thread_loop"}
