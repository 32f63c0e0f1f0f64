; What has no vector form is done for each lane, in their order.
; RUN: %passes --only=vectoriseThreadLoops | %check

; CHECK-LABEL: define void @k(
; CHECK: lane:
; CHECK: phi i16 [ -1, %{{.+}} ]
; CHECK: call i16 @llvm.cttz.i16(
; CHECK: atomicrmw add ptr
; CHECK: br i1 %{{.+}}, label %lane, label %lanes.done
define void @k(ptr %x, ptr %bins, i64 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %left ]
  br label %turn
turn:
  %j = phi i64 [ 0, %thread ], [ %j.next, %turn ]
  %at = add nuw nsw i64 %j, %i
  %px = getelementptr inbounds i32, ptr %x, i64 %at
  %v = load i32, ptr %px, align 4
  %bin = and i32 %v, 255
  %bin64 = zext i32 %bin to i64
  %pb = getelementptr inbounds i32, ptr %bins, i64 %bin64
  %old = atomicrmw add ptr %pb, i32 1 monotonic, align 4
  %j.next = add nuw nsw i64 %j, 64
  %goes.on = icmp ult i64 %j.next, 6400
  br i1 %goes.on, label %turn, label %left
left:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
; It needs a lane: code of which it is a part is left out where no lane comes, whether or not it has effects.
; CHECK-LABEL: define void @scaled(
; CHECK: br i1 %{{.+}}, label %any, label %none
; CHECK: any:
; CHECK: lane:
; CHECK: call double @llvm.ldexp.f64.i32(
define void @scaled(ptr %x, ptr %out) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %after ]
  %px = getelementptr inbounds double, ptr %x, i64 %t
  %v = load double, ptr %px, align 8
  %small = fcmp olt double %v, 1.0
  br i1 %small, label %scale, label %after
scale:
  %e = trunc i64 %t to i32
  %s = call double @llvm.ldexp.f64.i32(double %v, i32 %e)
  br label %after
after:
  %r = phi double [ %v, %thread ], [ %s, %scale ]
  %at = getelementptr inbounds double, ptr %out, i64 %t
  store double %r, ptr %at, align 8
  %next = add nuw nsw i64 %t, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
declare double @llvm.ldexp.f64.i32(double, i32)

; Volatile loads, where lanes look at what others have added.
; CHECK-LABEL: define void @counted(
; CHECK: atomicrmw add ptr %count, i32 %{{.+}} monotonic
; CHECK: lane:
; CHECK: load volatile i32, ptr %count
; CHECK: br i1 %{{.+}}, label %lane, label %lanes.done
define void @counted(ptr %count, ptr %out) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %thread ]
  %old = atomicrmw add ptr %count, i32 1 monotonic, align 4
  %now = load volatile i32, ptr %count, align 4
  %at = getelementptr inbounds i32, ptr %out, i64 %t
  store i32 %now, ptr %at, align 4
  %next = add nuw nsw i64 %t, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
attributes #0 = { "hostwarp-runs-block" "target-cpu"="x86-64-v4" }
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.thread_loop"}
