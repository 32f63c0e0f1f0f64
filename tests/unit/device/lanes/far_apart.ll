; Threads that each go through memory of their own, as far from their neighbours' as a number says that is not known, are
; left alone: LLVM makes vectors of the loop that each goes through. Where that number is the step of the loop instead, the
; threads of a vector are neighbours.
; RUN: %passes --only=vectoriseThreadLoops | %check

; CHECK-LABEL: define void @chunks(
; CHECK-NOT: <{{[0-9]+}} x
; CHECK: ret void
define void @chunks(ptr noalias %in, ptr noalias %out, i32 %n, i64 %threads) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %left ]
  %t = trunc i64 %i to i32
  %first = mul i32 %t, %n
  %behind = add i32 %first, %n
  br label %turn
turn:
  %j = phi i32 [ %first, %thread ], [ %j.next, %turn ]
  %at = sext i32 %j to i64
  %from = getelementptr inbounds float, ptr %in, i64 %at
  %v = load float, ptr %from, align 4
  %w = fadd float %v, 1.0
  %to = getelementptr inbounds float, ptr %out, i64 %at
  store float %w, ptr %to, align 4
  %j.next = add i32 %j, 1
  %goes.on = icmp slt i32 %j.next, %behind
  br i1 %goes.on, label %turn, label %left
left:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %threads
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}

; CHECK-LABEL: define void @strides(
; CHECK: load <16 x float>
; CHECK: store <16 x float>
; CHECK: ret void
define void @strides(ptr noalias %in, ptr noalias %out, i64 %n, i64 %turns, i64 %threads) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %left ]
  br label %turn
turn:
  %j = phi i64 [ 0, %thread ], [ %j.next, %turn ]
  %row = mul i64 %j, %n
  %at = add i64 %row, %i
  %from = getelementptr inbounds float, ptr %in, i64 %at
  %v = load float, ptr %from, align 4
  %w = fadd float %v, 1.0
  %to = getelementptr inbounds float, ptr %out, i64 %at
  store float %w, ptr %to, align 4
  %j.next = add nuw nsw i64 %j, 1
  %goes.on = icmp ult i64 %j.next, %turns
  br i1 %goes.on, label %turn, label %left
left:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %threads
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
attributes #0 = { "hostwarp-runs-block" "target-cpu"="x86-64-v4" }
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.thread_loop"}
