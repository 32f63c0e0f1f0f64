; What lanes retry until it succeeds they do one after the other, each to its end; what is around it is a vector.
; RUN: %passes --only=vectoriseThreadLoops | %check

; CHECK-LABEL: define void @largest(
; CHECK: fmul <16 x float>
; CHECK: lane:
; CHECK: call i16 @llvm.cttz.i16(
; CHECK: [[TRY:[a-z.0-9]+]]:
; CHECK: cmpxchg ptr %most
; CHECK: br i1 %{{.+}}, label %[[TRY]]
; CHECK: br i1 %{{.+}}, label %lane, label %lanes.done
; CHECK-NOT: call {{.*}}retry
define void @largest(ptr %x, ptr %most, ptr %out, i64 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %left ]
  %px = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %px, align 4
  %a = fmul float %v, %v
  %b = fdiv float 1.0, %a
  %c = fdiv float %b, %v
  %first = load i32, ptr %most, align 4
  br label %again
again:
  %old = phi i32 [ %first, %thread ], [ %found, %again ]
  %old.f = bitcast i32 %old to float
  %new.f = call float @llvm.maxnum.f32(float %c, float %old.f)
  %new = bitcast float %new.f to i32
  %pair = cmpxchg ptr %most, i32 %old, i32 %new seq_cst seq_cst
  %found = extractvalue { i32, i1 } %pair, 0
  %same = icmp eq i32 %found, %old
  br i1 %same, label %left, label %again
left:
  %po = getelementptr inbounds i32, ptr %out, i64 %i
  store i32 %found, ptr %po, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
; A loop with two ends, which only tries where there is something to do.
; CHECK-LABEL: define void @raised(
; CHECK: fdiv <16 x float>
; CHECK: lane:
; CHECK: cmpxchg ptr %most
; CHECK: br i1 %{{.+}}, label %lane, label %lanes.done
define void @raised(ptr %x, ptr %most, i64 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %left ]
  %px = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %px, align 4
  %a = fdiv float 1.0, %v
  %b = fdiv float %a, %v
  %c = fdiv float %b, %a
  %first = load i32, ptr %most, align 4
  br label %look
look:
  %old = phi i32 [ %first, %thread ], [ %found, %try ]
  %old.f = bitcast i32 %old to float
  %more.than = fcmp ogt float %c, %old.f
  br i1 %more.than, label %try, label %left
try:
  %new = bitcast float %c to i32
  %pair = cmpxchg ptr %most, i32 %old, i32 %new seq_cst seq_cst
  %found = extractvalue { i32, i1 } %pair, 0
  %same = icmp eq i32 %found, %old
  br i1 %same, label %left, label %look
left:
  %seen = phi i32 [ %old, %look ], [ %found, %try ]
  %seen.f = bitcast i32 %seen to float
  store float %seen.f, ptr %px, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
declare float @llvm.maxnum.f32(float, float)
attributes #0 = { "hostwarp-runs-block" "target-cpu"="x86-64-v4" }
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.thread_loop"}
