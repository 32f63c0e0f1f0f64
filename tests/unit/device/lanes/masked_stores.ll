; Before AVX-512 a masked store is slow: where all lanes are there, it is done without.
; RUN: %passes --only=vectoriseThreadLoops | %check

; CHECK-LABEL: define void @some(
; CHECK: %[[ALL:.+]] = call i1 @llvm.vector.reduce.and.v8i1(<8 x i1> %[[MASK:.+]])
; CHECK: br i1 %[[ALL]], label %all, label %apart
; CHECK: all:
; CHECK-NEXT: store <8 x float> %[[VALUE:.+]], ptr %[[PLACE:.+]], align 4
; CHECK: apart:
; CHECK: call void @llvm.masked.store.v8f32.p0(<8 x float> %[[VALUE]], ptr %[[PLACE]], i32 4, <8 x i1> %[[MASK]])
; CHECK: written:
define void @some(ptr %args, ptr noalias %frame, ptr %x, ptr %y) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %last ]
  %px = getelementptr inbounds float, ptr %x, i64 %t
  %v = load float, ptr %px, align 4
  %positive = fcmp ogt float %v, 0.0
  br i1 %positive, label %store, label %last
store:
  %root = fmul float %v, %v
  %py = getelementptr inbounds float, ptr %y, i64 %t
  store float %root, ptr %py, align 4
  br label %last
last:
  %next = add nuw nsw i64 %t, 1
  %more = icmp ult i64 %next, 256
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}

; AVX-512 has masks for nothing.
; CHECK-LABEL: define void @some_with_masks(
; CHECK-NOT: all:
; CHECK: call void @llvm.masked.store.v16f32.p0(
; CHECK: ret void
define void @some_with_masks(ptr %args, ptr noalias %frame, ptr %x, ptr %y) #1 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %last ]
  %px = getelementptr inbounds float, ptr %x, i64 %t
  %v = load float, ptr %px, align 4
  %positive = fcmp ogt float %v, 0.0
  br i1 %positive, label %store, label %last
store:
  %root = fmul float %v, %v
  %py = getelementptr inbounds float, ptr %y, i64 %t
  store float %root, ptr %py, align 4
  br label %last
last:
  %next = add nuw nsw i64 %t, 1
  %more = icmp ult i64 %next, 256
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}

; Every other element: one by one, in order.
; CHECK-LABEL: define void @every_other(
; CHECK: %[[FIRST:.+]] = extractelement <8 x float> %[[VALUE:.+]], i64 0
; CHECK-NEXT: store float %[[FIRST]], ptr
; CHECK: %[[LAST:.+]] = extractelement <8 x float> %[[VALUE]], i64 7
; CHECK-NEXT: store float %[[LAST]], ptr
; CHECK-NOT: masked.store
; CHECK: thread:
define void @every_other(ptr %args, ptr noalias %frame, ptr %x, ptr %y) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %thread ]
  %px = getelementptr inbounds float, ptr %x, i64 %t
  %v = load float, ptr %px, align 4
  %square = fmul float %v, %v
  %twice = shl nuw nsw i64 %t, 1
  %py = getelementptr inbounds float, ptr %y, i64 %twice
  store float %square, ptr %py, align 4
  %next = add nuw nsw i64 %t, 1
  %more = icmp ult i64 %next, 256
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}

; What a thread has kept at a barrier may be its place in a row: whether it is, is looked at.
; CHECK-LABEL: define void @kept(
; CHECK: side_by_side:
; CHECK: load <8 x float>
; CHECK: apart:
; CHECK: call <8 x float> @llvm.masked.gather
; CHECK: thread:
define void @kept(ptr %args, ptr noalias %frame, ptr %x, ptr %y) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %thread ]
  %slot = getelementptr inbounds i64, ptr %frame, i64 %t
  %at = load i64, ptr %slot, align 8
  %px = getelementptr inbounds float, ptr %x, i64 %at
  %v = load float, ptr %px, align 4
  %square = fmul float %v, %v
  %py = getelementptr inbounds float, ptr %y, i64 %t
  store float %square, ptr %py, align 4
  %next = add nuw nsw i64 %t, 1
  %more = icmp ult i64 %next, 256
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
attributes #0 = { "hostwarp-runs-block" "target-cpu"="x86-64-v3" }
attributes #1 = { "hostwarp-runs-block" "target-cpu"="x86-64-v4" }
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.thread_loop"}
