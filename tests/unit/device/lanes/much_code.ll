; Where there is much code, what hardly ever runs is made short: lanes of which nothing could be assumed do their block's code
; one after the other, and loops for warps that a joined loop does not take stay as they are.
; RUN: %passes-of-much --only=vectoriseThreadLoops | %check

; Values that others use are collected: %v by the block behind, and what addresses there are made of. What has a stride goes on
; from lane to lane, and what is the same for all is not looked up.
; CHECK-LABEL: define void @clamped(
; CHECK: br i1 %{{.+}}, label %as_assumed, label %otherwise
; CHECK: as_assumed:
; CHECK: load <8 x float>, ptr %{{.+}}, align 4
; CHECK: otherwise:
; CHECK-NEXT: br label %lane
; CHECK: whatever:
; CHECK: = phi <8 x float> [ %{{.+}}, %as_assumed ], [ %{{.+}}, %lanes.done ]
; CHECK: lane:
; CHECK: %[[LEFT:.+]] = phi i8 [ -1, %otherwise ], [ %[[REST:.+]], %lane ]
; CHECK: %[[COUNT:.+]] = call i8 @llvm.cttz.i8(i8 %[[LEFT]], i1 true)
; CHECK: %[[LANE:.+]] = zext i8 %[[COUNT]] to i64
; CHECK: call i64 @llvm.smin.i64(i64 %{{.+}}, i64 %last)
; CHECK: load float, ptr %{{.+}}, align 4
; CHECK: fmul float %{{.+}}, %factor
; CHECK: store float %
; CHECK: %[[REST]] = and i8 %[[LEFT]], %
; CHECK: br i1 %{{.+}}, label %lane, label %lanes.done, !llvm.loop ![[ROLLED:[0-9]+]]
; CHECK: lanes.done:
; CHECK: load <8 x float>, ptr %
define void @clamped(ptr %x, ptr %y, ptr %z, i64 %n, i64 %last, float %factor) #0 {
much:
  br label %thread
thread:
  %i = phi i64 [ 0, %much ], [ %next, %latch ]
  %left = add i64 %i, -2
  %low = call i64 @llvm.smax.i64(i64 %left, i64 0)
  %at = call i64 @llvm.smin.i64(i64 %low, i64 %last)
  %px = getelementptr inbounds float, ptr %x, i64 %at
  %v = load float, ptr %px, align 4
  %w = fmul float %v, %factor
  %py = getelementptr inbounds float, ptr %y, i64 %i
  store float %w, ptr %py, align 4
  %up = add i64 %at, 7
  %pz = getelementptr inbounds float, ptr %z, i64 %up
  %large = fcmp ogt float %v, 1.0
  br i1 %large, label %write, label %latch
write:
  store float %v, ptr %pz, align 4
  br label %latch
latch:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}

; Lanes that are not there have no turn.
; CHECK-LABEL: define void @masked(
; CHECK: otherwise:
; CHECK: %[[LANES:.+]] = bitcast <8 x i1> %{{.+}} to i8
; CHECK: lane:
; CHECK: phi i8 [ %[[LANES]], %otherwise ]
define void @masked(ptr %x, ptr %y, i64 %n, i64 %last) #0 {
much:
  br label %thread
thread:
  %i = phi i64 [ 0, %much ], [ %next, %latch ]
  %p = getelementptr inbounds float, ptr %x, i64 %i
  %c = load float, ptr %p, align 4
  %large = fcmp ogt float %c, 1.0
  br i1 %large, label %write, label %latch
write:
  %at = call i64 @llvm.smin.i64(i64 %i, i64 %last)
  %px = getelementptr inbounds float, ptr %x, i64 %at
  %v = load float, ptr %px, align 4
  %py = getelementptr inbounds float, ptr %y, i64 %at
  store float %v, ptr %py, align 4
  br label %latch
latch:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}

; What becomes of all threads together is no lane's own: the block is there twice as vectors.
; CHECK-LABEL: define i32 @most(
; CHECK: otherwise:
; CHECK-NOT: cttz
; CHECK: ret i32
define i32 @most(ptr %x, ptr %y, i64 %n, i64 %last) #0 {
much:
  br label %thread
thread:
  %i = phi i64 [ 0, %much ], [ %next, %thread ]
  %most = phi i32 [ 0, %much ], [ %new, %thread ]
  %at = call i64 @llvm.smin.i64(i64 %i, i64 %last)
  %px = getelementptr inbounds float, ptr %x, i64 %at
  %v = load i32, ptr %px, align 4
  %new = call i32 @llvm.umax.i32(i32 %most, i32 %v)
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret i32 %new
}

; The warp's loop stores with a stride by turns of its lanes; the ones for other warps stay as they are: that over threads, and
; that over lanes which meet. So does one in which lanes look up what others have.
; CHECK-LABEL: define void @spare(
; CHECK: br i1 true, label %{{.+}}, label %apart
; CHECK: %[[LEFT:.+]] = phi i32 [ -1, %{{.+}} ], [ %{{.+}}, %[[LANE:.+]] ]
; CHECK: call i32 @llvm.cttz.i32(i32 %[[LEFT]], i1 true)
; CHECK: store double
; CHECK: br i1 %{{.+}}, label %[[LANE]], label %{{.+}}, !llvm.loop ![[ROLLED2:[0-9]+]]
; CHECK: apart:
; CHECK-NOT: <8 x
; CHECK: !llvm.loop ![[SCALAR:[0-9]+]]
; CHECK: br i1 %m.end, label %look, label %meeting, !llvm.loop ![[SCALAR2:[0-9]+]]
; CHECK: br i1 %l.end, label %done, label %look, !llvm.loop ![[SCALAR3:[0-9]+]]
; CHECK: ret void
define void @spare(ptr %x, ptr %y) #0 {
much:
  %may = call i1 @hw_lanes_are_vector(i32 3)
  br i1 %may, label %thread, label %apart
thread:
  %t = phi i64 [ 0, %much ], [ %next, %thread ]
  %px = getelementptr inbounds double, ptr %x, i64 %t
  %v = load double, ptr %px, align 8
  %sevenfold = mul i64 %t, 7
  %py = getelementptr inbounds double, ptr %y, i64 %sevenfold
  store double %v, ptr %py, align 8
  call void @hw_lanes_sync()
  %next = add nuw nsw i64 %t, 1
  %end = icmp eq i64 %next, 32
  br i1 %end, label %done, label %thread, !llvm.loop !2
apart:
  br label %other
other:
  %o = phi i64 [ 0, %apart ], [ %o.next, %other ]
  %qx = getelementptr inbounds double, ptr %x, i64 %o
  %w = load double, ptr %qx, align 8
  %q = fmul double %w, %w
  %qy = getelementptr inbounds double, ptr %y, i64 %o
  store double %q, ptr %qy, align 8
  %o.next = add nuw nsw i64 %o, 1
  %o.end = icmp eq i64 %o.next, 32
  br i1 %o.end, label %meeting, label %other, !llvm.loop !4
meeting:
  %m = phi i64 [ 0, %other ], [ %m.next, %meeting ]
  %mx = getelementptr inbounds double, ptr %x, i64 %m
  %u = load double, ptr %mx, align 8
  %my = getelementptr inbounds double, ptr %y, i64 %m
  store double %u, ptr %my, align 8
  %m.next = add nuw nsw i64 %m, 1
  %m.end = icmp eq i64 %m.next, 32
  br i1 %m.end, label %look, label %meeting, !llvm.loop !6
look:
  %l = phi i64 [ 0, %meeting ], [ %l.next, %look ]
  %lx = getelementptr inbounds i64, ptr %x, i64 %l
  %from = load i64, ptr %lx, align 8
  %ly = getelementptr inbounds i64, ptr %y, i64 %from
  %taken = load i64, ptr %ly, align 8
  store i64 %taken, ptr %lx, align 8
  %l.next = add nuw nsw i64 %l, 1
  %l.end = icmp eq i64 %l.next, 32
  br i1 %l.end, label %done, label %look, !llvm.loop !7
done:
  ret void
}

; Loops of vectors are not unrolled.
; CHECK-LABEL: define void @sevenfold(
; CHECK: load <8 x float>
; CHECK: br i1 %{{.+}}, label %lanes, label %lanes.end, !llvm.loop ![[ROLLED3:[0-9]+]]
define void @sevenfold(ptr %x, i64 %n) #0 {
much:
  br label %thread
thread:
  %t = phi i64 [ 0, %much ], [ %next, %thread ]
  %px = getelementptr inbounds float, ptr %x, i64 %t
  %v = load float, ptr %px, align 4
  %w = fmul float %v, 7.0
  store float %w, ptr %px, align 4
  %next = add nuw nsw i64 %t, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %done, !llvm.loop !0
done:
  ret void
}

; CHECK: ![[ROLLED]] = distinct !{![[ROLLED]], ![[DISABLED:[0-9]+]]}
; CHECK: ![[DISABLED]] = !{!"llvm.loop.unroll.disable"}
; CHECK: ![[IS:[0-9]+]] = !{!"llvm.loop.isvectorized", i32 1}
; CHECK: ![[ROLLED2]] = distinct !{![[ROLLED2]], ![[DISABLED]]}
; CHECK: ![[SCALAR]] = distinct !{![[SCALAR]], !{{.+}}, !{{.+}}, ![[IS]]}
; CHECK: ![[SCALAR2]] = distinct !{![[SCALAR2]], !{{.+}}, ![[IS]]}
; CHECK: ![[SCALAR3]] = distinct !{![[SCALAR3]], !{{.+}}, ![[IS]]}
; CHECK: ![[ROLLED3]] = distinct !{![[ROLLED3]], ![[DISABLED]]}

declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare i32 @llvm.umax.i32(i32, i32)
declare i1 @hw_lanes_are_vector(i32)
declare void @hw_lanes_sync()
declare void @llvm.donothing()
attributes #0 = { "hostwarp-runs-block" "target-cpu"="x86-64-v3" }
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.thread_loop"}
!2 = distinct !{!2, !1, !3}
!3 = !{!"hostwarp.joined_loop", i32 3}
!4 = distinct !{!4, !1, !5}
!5 = !{!"hostwarp.spare_loop", i32 3}
!6 = distinct !{!6, !5}
!7 = distinct !{!7, !8}
!8 = !{!"hostwarp.look_up_loop"}
