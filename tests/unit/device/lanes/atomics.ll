; Lanes that change one place by an operation that may be done for all at once are one atomic; each gets what it would have
; found behind those before it. Sums of floats are rounded in the order of the lanes, and one by one where somebody looks at
; them on the way; other places are others.
; RUN: %passes --only=vectoriseThreadLoops | %check

; CHECK-LABEL: define void @counted(
; CHECK: turn:
; CHECK: %[[ALL:.+]] = call i32 @llvm.vector.reduce.add.v16i32(
; CHECK: atomicrmw add ptr %p, i32 %[[ALL]] monotonic
define void @counted(ptr %p, ptr %x) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %thread ]
  %px = getelementptr inbounds i32, ptr %x, i64 %t
  %v = load i32, ptr %px, align 4
  %old = atomicrmw add ptr %p, i32 %v monotonic
  %next = add nuw nsw i64 %t, 1
  %more = icmp ult i64 %next, 256
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}

; CHECK-LABEL: define void @numbered(
; CHECK: any:
; CHECK: select <16 x i1> %{{.+}}, <16 x i32> %{{.+}}, <16 x i32> <i32 -2147483648,
; CHECK-COUNT-4: call <16 x i32> @llvm.smax.v16i32
; CHECK: %[[ALL:.+]] = extractelement <16 x i32> %{{.+}}, i64 15
; CHECK: atomicrmw max ptr %p, i32 %[[ALL]] monotonic
; CHECK: call <16 x i32> @llvm.smax.v16i32
define void @numbered(ptr %p, ptr %x) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %end_of_thread ]
  %px = getelementptr inbounds i32, ptr %x, i64 %t
  %v = load i32, ptr %px, align 4
  %is = icmp sgt i32 %v, 7
  br i1 %is, label %change, label %end_of_thread
change:
  %old = atomicrmw max ptr %p, i32 %v monotonic
  store i32 %old, ptr %px, align 4
  br label %end_of_thread
end_of_thread:
  %next = add nuw nsw i64 %t, 1
  %more = icmp ult i64 %next, 256
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}

; CHECK-LABEL: define void @summed(
; CHECK: any:
; CHECK: %[[OF_THOSE:.+]] = select <16 x i1> %{{.+}}, <16 x float> %{{.+}}, <16 x float> <float -0.000000e+00,
; CHECK: load atomic i32, ptr %p monotonic
; CHECK: attempt:
; CHECK: %[[FOUND:.+]] = phi i32
; CHECK: %[[BEFORE:.+]] = bitcast i32 %[[FOUND]] to float
; CHECK: %[[SUM:.+]] = call float @llvm.vector.reduce.fadd.v16f32(float %[[BEFORE]], <16 x float> %[[OF_THOSE]])
; CHECK: %[[BITS:.+]] = bitcast float %[[SUM]] to i32
; CHECK: cmpxchg ptr %p, i32 %[[FOUND]], i32 %[[BITS]] monotonic monotonic
; CHECK: br i1 %{{.+}}, label %added, label %attempt
define void @summed(ptr %p, ptr %x) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %end_of_thread ]
  %px = getelementptr inbounds float, ptr %x, i64 %t
  %v = load float, ptr %px, align 4
  %is = fcmp ogt float %v, 7.0
  br i1 %is, label %change, label %end_of_thread
change:
  %old = atomicrmw fadd ptr %p, float %v monotonic
  br label %end_of_thread
end_of_thread:
  %next = add nuw nsw i64 %t, 1
  %more = icmp ult i64 %next, 256
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}

; What only the block sees takes no locks.
; CHECK-LABEL: define void @summed_for_the_block(
; CHECK: load atomic i32, ptr %p monotonic
; CHECK: call float @llvm.vector.reduce.fadd.v16f32(
; CHECK: store atomic i32 %{{.+}}, ptr %p monotonic
; CHECK-NOT: cmpxchg
define void @summed_for_the_block(ptr %p, ptr %x) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %thread ]
  %px = getelementptr inbounds float, ptr %x, i64 %t
  %v = load float, ptr %px, align 4
  %old = atomicrmw fadd ptr %p, float %v monotonic, !hostwarp.own_atomic !2
  %next = add nuw nsw i64 %t, 1
  %more = icmp ult i64 %next, 256
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}

; CHECK-LABEL: define void @one_by_one(
; CHECK-NOT: call {{.*}}vector.reduce
; CHECK: ret void
define void @one_by_one(ptr %p, ptr %x) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %thread ]
  %px = getelementptr inbounds i32, ptr %x, i64 %t
  %v = load i32, ptr %px, align 4
  %f = sitofp i32 %v to float
  %old = atomicrmw fadd ptr %p, float %f monotonic
  store float %old, ptr %px, align 4
  %other = atomicrmw add ptr %px, i32 %v monotonic
  %changed = atomicrmw xchg ptr %p, i32 %v monotonic
  %next = add nuw nsw i64 %t, 1
  %more = icmp ult i64 %next, 256
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
attributes #0 = { "hostwarp-runs-block" "target-cpu"="x86-64-v4" }
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.thread_loop"}
!2 = !{}
