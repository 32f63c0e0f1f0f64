; Addresses that come from memory are gathered; of others the lanes look whether they are side by side after all.
; RUN: %passes --only=vectoriseThreadLoops | %check

; CHECK-LABEL: define void @from_memory(
; CHECK: call <16 x float> @llvm.masked.gather.v16f32.v16p0(
; CHECK-NOT: side_by_side
; CHECK: thread:
define void @from_memory(ptr %x, ptr %index, ptr %y, i64 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %pi = getelementptr inbounds i64, ptr %index, i64 %i
  %at = load i64, ptr %pi, align 8
  %px = getelementptr inbounds float, ptr %x, i64 %at
  %v = load float, ptr %px, align 4
  %a = fadd float %v, 1.0
  %b = fmul float %a, %a
  %c = fadd float %b, %v
  %d = fmul float %c, %b
  %e = fadd float %d, %c
  %f = fmul float %e, %d
  %g = fadd float %f, %e
  %h = fmul float %g, %f
  %py = getelementptr inbounds float, ptr %y, i64 %i
  store float %h, ptr %py, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
; CHECK-LABEL: define void @of_neighbours(
; CHECK: side_by_side:
; CHECK: load <16 x float>
; CHECK: apart:
; CHECK: call <16 x float> @llvm.masked.gather
; CHECK: loaded:
; CHECK: phi <16 x float>
; CHECK: thread:
define void @of_neighbours(ptr %x, ptr %y, i64 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %isFirst = icmp eq i64 %i, 0
  %before = sub i64 %i, 1
  %last = sub i64 %n, 1
  %at = select i1 %isFirst, i64 %last, i64 %before
  %px = getelementptr inbounds float, ptr %x, i64 %at
  %v = load float, ptr %px, align 4
  %py = getelementptr inbounds float, ptr %y, i64 %i
  store float %v, ptr %py, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
; CHECK-LABEL: define void @to_neighbours(
; CHECK: side_by_side:
; CHECK: store <16 x float>
; CHECK: apart:
; CHECK: call void @llvm.masked.scatter.v16f32.v16p0(
; CHECK: stored:
; CHECK: thread:
define void @to_neighbours(ptr %x, ptr %y, i64 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %isFirst = icmp eq i64 %i, 0
  %before = sub i64 %i, 1
  %last = sub i64 %n, 1
  %at = select i1 %isFirst, i64 %last, i64 %before
  %px = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %px, align 4
  %py = getelementptr inbounds float, ptr %y, i64 %at
  store float %v, ptr %py, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
; Where only some lanes store, the first of those says where they would be, and no other counts.
; CHECK-LABEL: define void @some_to_neighbours(
; CHECK: any:
; CHECK: %[[BITS:.+]] = bitcast <16 x i1> %[[MASK:.+]] to i16
; CHECK: %[[FIRST:.+]] = call i16 @llvm.cttz.i16(i16 %[[BITS]], i1 true)
; CHECK: %[[LANE:.+]] = zext i16 %[[FIRST]] to i32
; CHECK: extractelement <16 x i64> %[[STARTS:.+]], i32 %[[LANE]]
; CHECK: %[[EQUAL:.+]] = icmp eq <16 x i64> %[[STARTS]], %
; CHECK: %[[THERE:.+]] = select <16 x i1> %[[MASK]], <16 x i1> %[[EQUAL]], <16 x i1> <i1 true,
; CHECK: call i1 @llvm.vector.reduce.and.v16i1(<16 x i1> %[[THERE]])
; CHECK: side_by_side:
; CHECK: call void @llvm.masked.store.v16f32.p0(<16 x float> %{{.+}}, ptr %{{.+}}, i32 4, <16 x i1> %[[MASK]])
; CHECK: apart:
; CHECK: call void @llvm.masked.scatter.v16f32.v16p0(<16 x float> %{{.+}}, <16 x ptr> %{{.+}}, i32 4, <16 x i1> %[[MASK]])
; CHECK: thread:
define void @some_to_neighbours(ptr %x, ptr %y, i64 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %stored ]
  %isFirst = icmp eq i64 %i, 0
  %before = sub i64 %i, 1
  %last = sub i64 %n, 1
  %at = select i1 %isFirst, i64 %last, i64 %before
  %px = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %px, align 4
  %stores = fcmp ogt float %v, 0.0
  br i1 %stores, label %store, label %stored
store:
  %py = getelementptr inbounds float, ptr %y, i64 %at
  store float %v, ptr %py, align 4
  br label %stored
stored:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
; An index that is itself narrow may wrap around between two lanes: nothing is taken for granted.
; CHECK-LABEL: define void @narrow_in_address(
; CHECK: lanes:
; CHECK: side_by_side:
; CHECK: load <16 x float>
; CHECK: apart:
; CHECK: call <16 x float> @llvm.masked.gather
; CHECK: thread:
define void @narrow_in_address(ptr %x, ptr %y, i32 %first, i64 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %i32 = trunc i64 %i to i32
  %index = add i32 %first, %i32
  %px = getelementptr inbounds float, ptr %x, i32 %index
  %v = load float, ptr %px, align 4
  %py = getelementptr inbounds float, ptr %y, i64 %i
  store float %v, ptr %py, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
; An index of 32 bits may wrap around: whether it does is looked at before the loop.
; CHECK-LABEL: define void @narrow_index(
; CHECK: %taken = and
; CHECK: select i1 %{{.+}}, i64 0, i64 %taken
; CHECK: lanes:
; CHECK: load <16 x float>
; CHECK-NOT: gather
; CHECK: thread:
define void @narrow_index(ptr %x, ptr %y, i32 %first, i64 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %i32 = trunc i64 %i to i32
  %index = add i32 %first, %i32
  %at = sext i32 %index to i64
  %px = getelementptr inbounds float, ptr %x, i64 %at
  %v = load float, ptr %px, align 4
  %py = getelementptr inbounds float, ptr %y, i64 %i
  store float %v, ptr %py, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
attributes #0 = { "hostwarp-runs-block" "target-cpu"="x86-64-v4" }
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.thread_loop"}
