; A row that is known to have fewer threads than a register has numbers gets a vector of its own width; of two or three
; threads there is none.
; RUN: %passes --only=vectoriseThreadLoops | %check

; CHECK-LABEL: define void @eight(
; CHECK: fdiv <8 x float>
; CHECK: ret void
define void @eight(ptr %x, ptr %y) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %more ]
  %px = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %px, align 4
  %small = fcmp olt float %v, 1.0
  br i1 %small, label %divides, label %more
divides:
  %quotient = fdiv float 2.0, %v
  %py = getelementptr inbounds float, ptr %y, i64 %i
  store float %quotient, ptr %py, align 4
  br label %more
more:
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, 8
  br i1 %again, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
; CHECK-LABEL: define void @eleven(
; CHECK: fdiv <8 x float>
; CHECK: ret void
define void @eleven(ptr %x, ptr %y) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %more ]
  %px = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %px, align 4
  %small = fcmp olt float %v, 1.0
  br i1 %small, label %divides, label %more
divides:
  %quotient = fdiv float 2.0, %v
  %py = getelementptr inbounds float, ptr %y, i64 %i
  store float %quotient, ptr %py, align 4
  br label %more
more:
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, 11
  br i1 %again, label %thread, label %end, !llvm.loop !2
end:
  ret void
}
; CHECK-LABEL: define void @three(
; CHECK-NOT: x float>
; CHECK: ret void
define void @three(ptr %x, ptr %y) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %more ]
  %px = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %px, align 4
  %small = fcmp olt float %v, 1.0
  br i1 %small, label %divides, label %more
divides:
  %quotient = fdiv float 2.0, %v
  %py = getelementptr inbounds float, ptr %y, i64 %i
  store float %quotient, ptr %py, align 4
  br label %more
more:
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, 3
  br i1 %again, label %thread, label %end, !llvm.loop !3
end:
  ret void
}
attributes #0 = { "hostwarp-runs-block" "target-cpu"="x86-64-v4" }
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.thread_loop"}
!2 = distinct !{!2, !1}
!3 = distinct !{!3, !1}
