; Elements of one thread that are side by side, while those of neighbouring threads are not: each lane's at once, and a
; transposition.
; RUN: %passes --only=vectoriseThreadLoops | %check

; CHECK-LABEL: define void @read(
; CHECK-COUNT-16: load <4 x float>, ptr %{{.+}}, align 4
; CHECK-COUNT-8: shufflevector <16 x float>
; CHECK-NOT: masked.gather
; CHECK: rest:
define void @read(ptr %x, ptr %y, i64 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %p0 = getelementptr inbounds [4 x float], ptr %x, i64 %i
  %p1 = getelementptr inbounds i8, ptr %p0, i64 4
  %p2 = getelementptr inbounds i8, ptr %p0, i64 8
  %p3 = getelementptr inbounds i8, ptr %p0, i64 12
  %v0 = load float, ptr %p0, align 4
  %v1 = load float, ptr %p1, align 4
  %v2 = load float, ptr %p2, align 4
  %v3 = load float, ptr %p3, align 4
  %a = fadd float %v0, %v1
  %b = fmul float %v2, %v3
  %c = fadd float %a, %b
  %py = getelementptr inbounds float, ptr %y, i64 %i
  store float %c, ptr %py, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}

; Stores are done where the last stands; what is read in between is read at once, where the first stands, since it is not what
; has been written.
; CHECK-LABEL: define void @read_and_written(
; CHECK-COUNT-16: load <4 x float>
; CHECK-NOT: store <4 x float>
; CHECK: fadd <16 x float>
; CHECK-COUNT-16: store <4 x float> %{{.+}}, ptr %{{.+}}, align 4
; CHECK-NOT: masked.scatter
; CHECK: rest:
define void @read_and_written(ptr %x, ptr %y, i64 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %p0 = getelementptr inbounds [4 x float], ptr %x, i64 %i
  %p1 = getelementptr inbounds i8, ptr %p0, i64 4
  %p2 = getelementptr inbounds i8, ptr %p0, i64 8
  %p3 = getelementptr inbounds i8, ptr %p0, i64 12
  %sum0 = fadd float 0.0, 0.0
  %v0 = load float, ptr %p0, align 4
  store float %sum0, ptr %p0, align 4
  %sum1 = fadd float %sum0, %v0
  %v1 = load float, ptr %p1, align 4
  store float %sum1, ptr %p1, align 4
  %sum2 = fadd float %sum1, %v1
  %v2 = load float, ptr %p2, align 4
  store float %sum2, ptr %p2, align 4
  %sum3 = fadd float %sum2, %v2
  %v3 = load float, ptr %p3, align 4
  store float %sum3, ptr %p3, align 4
  %sum4 = fadd float %sum3, %v3
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}

; One address is written so that its distance from the neighbouring thread's does not show; the others' tells it.
; CHECK-LABEL: define void @by_the_others(
; CHECK: extractelement <16 x ptr> %{{.+}}, i64 0
; CHECK-COUNT-16: store <4 x float> {{.+}}, ptr %{{.+}}, align 4
; CHECK-NOT: masked.scatter
; CHECK: rest:
define void @by_the_others(ptr %x, i64 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %p0 = getelementptr inbounds [4 x float], ptr %x, i64 %i
  %p1 = getelementptr inbounds i8, ptr %p0, i64 4
  %p2 = getelementptr inbounds i8, ptr %p0, i64 8
  %times = mul nuw nsw i64 %i, 48
  %bytes = udiv i64 %times, 3
  %q0 = getelementptr inbounds i8, ptr %x, i64 %bytes
  %p3 = getelementptr inbounds i8, ptr %q0, i64 12
  store float 1.0, ptr %p0, align 4
  store float 2.0, ptr %p1, align 4
  store float 3.0, ptr %p2, align 4
  store float 4.0, ptr %p3, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}

; What is read behind a store to a part of it is read there, not with the others.
; CHECK-LABEL: define void @read_behind(
; CHECK-NOT: load <4 x float>
; CHECK: call void @llvm.masked.scatter.v16i16
; CHECK: call <16 x float> @llvm.masked.gather.v16f32
; CHECK: rest:
define void @read_behind(ptr %x, ptr %y, i64 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %p0 = getelementptr inbounds [4 x float], ptr %x, i64 %i
  %p1 = getelementptr inbounds i8, ptr %p0, i64 4
  %p2 = getelementptr inbounds i8, ptr %p0, i64 8
  %p3 = getelementptr inbounds i8, ptr %p0, i64 12
  %part = getelementptr inbounds i8, ptr %p0, i64 10
  %v0 = load float, ptr %p0, align 4
  store i16 7, ptr %part, align 2
  %v1 = load float, ptr %p1, align 4
  %v2 = load float, ptr %p2, align 4
  %v3 = load float, ptr %p3, align 4
  %a = fadd float %v0, %v1
  %b = fmul float %v2, %v3
  %c = fadd float %a, %b
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

; A store whose element is read in part is done before.
; CHECK-LABEL: define void @stored_before(
; CHECK: extractelement <16 x float> %{{.+}}, i64 15
; CHECK: call <16 x i16> @llvm.masked.gather.v16i16
; CHECK-NOT: store <4 x float>
; CHECK: rest:
define void @stored_before(ptr %x, ptr %y, i64 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %p0 = getelementptr inbounds [4 x float], ptr %x, i64 %i
  %p1 = getelementptr inbounds i8, ptr %p0, i64 4
  %p2 = getelementptr inbounds i8, ptr %p0, i64 8
  %p3 = getelementptr inbounds i8, ptr %p0, i64 12
  %part = getelementptr inbounds i8, ptr %p0, i64 10
  %py = getelementptr inbounds float, ptr %y, i64 %i
  %v = load float, ptr %py, align 4
  %a = fadd float %v, 1.0
  %b = fmul float %a, %v
  %c = fadd float %b, %a
  %d = fmul float %c, %b
  %e = fadd float %d, %c
  %f = fmul float %e, %d
  %g = fadd float %f, %e
  %h = fmul float %g, %f
  %o = fadd float %h, %g
  %z0 = fmul float %o, %h
  %z1 = fadd float %z0, %o
  %z2 = fmul float %z1, %z0
  %z3 = fadd float %z2, %z1
  %z4 = fmul float %z3, %z2
  %z5 = fadd float %z4, %z3
  %z6 = fmul float %z5, %z4
  %z7 = fadd float %z6, %z5
  %z8 = fmul float %z7, %z6
  %z9 = fadd float %z8, %z7
  %z10 = fmul float %z9, %z8
  %z11 = fadd float %z10, %z9
  %z12 = fmul float %z11, %z10
  %z13 = fadd float %z12, %z11
  %z14 = fmul float %z13, %z12
  %z15 = fadd float %z14, %z13
  %z16 = fmul float %z15, %z14
  %z17 = fadd float %z16, %z15
  %z18 = fmul float %z17, %z16
  %z19 = fadd float %z18, %z17
  %z20 = fmul float %z19, %z18
  %z21 = fadd float %z20, %z19
  %z22 = fmul float %z21, %z20
  %z23 = fadd float %z22, %z21
  %r = fadd float %z23, %z22
  store float %r, ptr %p2, align 4
  %low = load i16, ptr %part, align 2
  %wide = sitofp i16 %low to float
  store float %b, ptr %p0, align 4
  store float %c, ptr %p1, align 4
  store float %wide, ptr %p3, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}

; Pairs without a gap are one wide access.
; CHECK-LABEL: define void @pairs(
; CHECK: load <32 x float>, ptr %{{.+}}, align 4
; CHECK: rest:
define void @pairs(ptr %x, ptr %y, i64 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %p0 = getelementptr inbounds [2 x float], ptr %x, i64 %i
  %p1 = getelementptr inbounds i8, ptr %p0, i64 4
  %v0 = load float, ptr %p0, align 4
  %v1 = load float, ptr %p1, align 4
  %c = fadd float %v0, %v1
  %d = fmul float %c, %v1
  %e = fadd float %d, %v0
  %py = getelementptr inbounds float, ptr %y, i64 %i
  store float %e, ptr %py, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}

; A place that memory decides is asked for lane by lane.
; CHECK-LABEL: define void @anywhere(
; CHECK: extractelement <16 x ptr>
; CHECK: load <4 x float>
; CHECK-NOT: masked.gather
; CHECK: rest:
define void @anywhere(ptr %x, ptr %index, ptr %y, i64 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %pi = getelementptr inbounds i64, ptr %index, i64 %i
  %at = load i64, ptr %pi, align 8
  %p0 = getelementptr inbounds [4 x float], ptr %x, i64 %at
  %p1 = getelementptr inbounds i8, ptr %p0, i64 4
  %p2 = getelementptr inbounds i8, ptr %p0, i64 8
  %p3 = getelementptr inbounds i8, ptr %p0, i64 12
  %v0 = load float, ptr %p0, align 4
  %v1 = load float, ptr %p1, align 4
  %v2 = load float, ptr %p2, align 4
  %v3 = load float, ptr %p3, align 4
  %a = fadd float %v0, %v1
  %b = fmul float %v2, %v3
  %c = fadd float %a, %b
  %d = fmul float %c, %b
  %e = fadd float %d, %c
  %f = fmul float %e, %d
  %py = getelementptr inbounds float, ptr %y, i64 %i
  store float %f, ptr %py, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}

; A row of each thread's own, element by element: eight turns at a time.
; CHECK-LABEL: define void @rows(
; CHECK: load <8 x float>
; CHECK: rest:
define void @rows(ptr %x, ptr %y, i64 %n, i64 %pitch, i64 %m) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread.end ]
  %start = mul i64 %i, %pitch
  %row = getelementptr float, ptr %x, i64 %start
  br label %turn
turn:
  %k = phi i64 [ 0, %thread ], [ %k.next, %turn ]
  %sum = phi float [ 0.0, %thread ], [ %more.sum, %turn ]
  %px = getelementptr float, ptr %row, i64 %k
  %v = load float, ptr %px, align 4
  %more.sum = fadd float %sum, %v
  %k.next = add nuw nsw i64 %k, 1
  %k.more = icmp ult i64 %k.next, %m
  br i1 %k.more, label %turn, label %thread.end
thread.end:
  %py = getelementptr inbounds float, ptr %y, i64 %i
  store float %more.sum, ptr %py, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}

; Three of each lane with nothing in between: all at once, every third.
; CHECK-LABEL: define void @triples(
; CHECK: %[[ALL:.+]] = load <48 x i8>, ptr
; CHECK: shufflevector <48 x i8> %[[ALL]], <48 x i8> poison, <16 x i32> <i32 0, i32 3, i32 6,
; CHECK: shufflevector <48 x i8> %[[ALL]], <48 x i8> poison, <16 x i32> <i32 1, i32 4, i32 7,
; CHECK: shufflevector <48 x i8> %[[ALL]], <48 x i8> poison, <16 x i32> <i32 2, i32 5, i32 8,
; CHECK: %[[THREE:.+]] = shufflevector <48 x i8> %{{.+}}, <48 x i8> poison, <48 x i32> <i32 0, i32 16, i32 32, i32 1, i32 17, i32 33,
; CHECK: store <48 x i8> %[[THREE]], ptr
; CHECK: rest:
define void @triples(ptr %x, ptr %y, i64 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %p0 = getelementptr inbounds [3 x i8], ptr %x, i64 %i
  %p1 = getelementptr inbounds i8, ptr %p0, i64 1
  %p2 = getelementptr inbounds i8, ptr %p0, i64 2
  %v0 = load i8, ptr %p0, align 1
  %v1 = load i8, ptr %p1, align 1
  %v2 = load i8, ptr %p2, align 1
  %a = add i8 %v0, %v1
  %b = xor i8 %v2, %a
  %c = sub i8 %b, %v0
  %q0 = getelementptr inbounds [3 x i8], ptr %y, i64 %i
  %q1 = getelementptr inbounds i8, ptr %q0, i64 1
  %q2 = getelementptr inbounds i8, ptr %q0, i64 2
  store i8 %a, ptr %q0, align 1
  store i8 %b, ptr %q1, align 1
  store i8 %c, ptr %q2, align 1
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
attributes #0 = { "hostwarp-runs-block" "target-cpu"="x86-64-v4" }
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.thread_loop"}
