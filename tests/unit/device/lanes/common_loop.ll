; A loop whose turns all threads take together keeps its scalar counter and test; what it reads for all is read once.
; RUN: %passes --only=vectoriseThreadLoops | %check

; CHECK-LABEL: define void @k(
; CHECK: loop:
; CHECK: %[[SUM:.+]] = phi <16 x float>
; CHECK: %[[J:.+]] = phi i64 [ 0, %{{.+}} ], [ %{{.+}}, %{{.+}} ]
; CHECK-NOT: gather
; CHECK: load float, ptr %{{.+}}, align 4
; CHECK: fadd <16 x float>
; CHECK-NOT: reduce
; CHECK: br i1 %{{.+}}, label %loop, label %loop.end
define void @k(ptr %x, ptr %y, i64 %n, i64 %m) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %left ]
  %px = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %px, align 4
  br label %turn
turn:
  %sum = phi float [ 0.0, %thread ], [ %sum.next, %turn ]
  %j = phi i64 [ 0, %thread ], [ %j.next, %turn ]
  %pj = getelementptr inbounds float, ptr %x, i64 %j
  %common = load float, ptr %pj, align 4
  %difference = fsub float %common, %v
  %sum.next = fadd float %sum, %difference
  %j.next = add nuw nsw i64 %j, 1
  %goes.on = icmp ult i64 %j.next, %m
  br i1 %goes.on, label %turn, label %left
left:
  %all = phi float [ %sum.next, %turn ]
  %py = getelementptr inbounds float, ptr %y, i64 %i
  store float %all, ptr %py, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
attributes #0 = { "hostwarp-runs-block" "target-cpu"="x86-64-v4" }
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.thread_loop"}
