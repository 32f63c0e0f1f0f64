; What a thread does not come back from, such as a failed assert, does not keep threads from going side by side: it is done by
; the lanes that come to it, one by one, and the code goes on as if it returned. Where two conditions lead to it, each has
; one of its own.
; RUN: %passes --only=vectoriseThreadLoops | %check

; CHECK-LABEL: define void @k(
; CHECK: fcmp olt <16 x float>
; CHECK: br i1 %{{.+}}, label %any, label %none
; CHECK-DAG: call void @hw_assert_fail(ptr @text, i32 1)
; CHECK-DAG: store <16 x float>
; CHECK-DAG: call void @hw_assert_fail(ptr @text, i32 2)
define void @k(ptr %x, ptr %y, i64 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %more ]
  %px = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %px, align 4
  %small = fcmp olt float %v, 1.0e+3
  br i1 %small, label %goes.on, label %fails
goes.on:
  %twice = fmul float %v, 2.0
  %py = getelementptr inbounds float, ptr %y, i64 %i
  store float %twice, ptr %py, align 4
  %large = fcmp ogt float %v, -1.0e+3
  br i1 %large, label %more, label %fails
more:
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %thread, label %end, !llvm.loop !0
fails:
  %line = phi i32 [ 1, %thread ], [ 2, %goes.on ]
  call void @hw_assert_fail(ptr @text, i32 %line) #1
  unreachable
end:
  ret void
}
@text = constant [2 x i8] c"x\00"
declare void @hw_assert_fail(ptr, i32)
attributes #0 = { "hostwarp-runs-block" "target-cpu"="x86-64-v4" }
attributes #1 = { noreturn }
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.thread_loop"}
