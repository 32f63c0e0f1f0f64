; What tells of an access does so for all lanes that are there, in one call. What compares is told one after the other.
; RUN: %passes --only=vectoriseThreadLoops | %check
@site = external constant i8
declare void @hw_check_access(ptr, i64, i32, ptr, i64)
declare void @hw_check_reads(ptr, i64, i32, ptr, i64, i64)

; CHECK-LABEL: define void @k(
; A warp takes one call, whatever the registers hold. Side by side: the first one's address, and from one to the next.
; CHECK: [[THERE:%[0-9]+]] = bitcast <32 x i1> %present to i32
; CHECK: call void @hw_check_lanes(i32 %{{.+}}, i32 [[THERE]], ptr %{{.+}}, i64 4, ptr null, i64 4, i32 1, ptr @site, ptr null)
; CHECK: [[LANES:%[0-9]+]] = bitcast <32 x i1> %{{.+}} to i32
; CHECK: store <32 x ptr> %{{.+}}, ptr [[EACH:%[0-9]+]]
; CHECK: store <32 x i64> %{{.+}}, ptr [[VALUES:%[0-9]+]]
; CHECK: call void @hw_check_lanes(i32 %{{.+}}, i32 [[LANES]], ptr null, i64 0, ptr [[EACH]], i64 4, i32 258, ptr @site, ptr [[VALUES]])
; CHECK: call void @hw_check_lanes(i32 %{{.+}}, i32 %{{.+}}, ptr %x, i64 0, ptr null, i64 4, i32 1, ptr @site, ptr null)
; CHECK: {{^lane.*}}:
; CHECK: call void @hw_check_access(ptr %x, i64 4, i32 135, ptr @site, i64 %{{.+}}) [ "hostwarp.thread"
define void @k(ptr %x, ptr %y, ptr %self, i32 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i32 [ 0, %entry ], [ %next, %left ]
  %lane = and i32 %i, 31
  %warp = lshr i32 %i, 5
  %wide = zext nneg i32 %i to i64
  %px = getelementptr inbounds i32, ptr %x, i64 %wide
  call void @hw_check_access(ptr %px, i64 4, i32 1, ptr @site, i64 0) [ "hostwarp.thread"(ptr %self, i32 %i, i32 0, i32 0, i32 %i, i32 %lane, i32 %warp) ]
  %v = load i32, ptr %px, align 4
  %is.small = icmp ult i32 %v, 100
  br i1 %is.small, label %turn, label %left
turn:
  %at = zext nneg i32 %v to i64
  %value = zext i32 %i to i64
  %py = getelementptr inbounds i32, ptr %y, i64 %at
  call void @hw_check_access(ptr %py, i64 4, i32 258, ptr @site, i64 %value) [ "hostwarp.thread"(ptr %self, i32 %i, i32 0, i32 0, i32 %i, i32 %lane, i32 %warp) ]
  store i32 %i, ptr %py, align 4
  br label %left
left:
  call void @hw_check_access(ptr %x, i64 4, i32 1, ptr @site, i64 0) [ "hostwarp.thread"(ptr %self, i32 %i, i32 0, i32 0, i32 %i, i32 %lane, i32 %warp) ]
  call void @hw_check_access(ptr %x, i64 4, i32 135, ptr @site, i64 %wide) [ "hostwarp.thread"(ptr %self, i32 %i, i32 0, i32 0, i32 %i, i32 %lane, i32 %warp) ]
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
; The reads of a loop: of lanes with as many turns each, and with a number of their own.
; CHECK-LABEL: define void @loops(
; CHECK: call void @hw_check_lane_reads(i32 %{{.+}}, i32 %{{.+}}, ptr %{{.+}}, i64 4, ptr null, i64 4, i32 1, ptr @site, i64 %count, ptr null, i64 256)
; CHECK: store <32 x i64> %{{.+}}, ptr [[COUNTS:%[0-9]+]]
; CHECK: call void @hw_check_lane_reads(i32 %{{.+}}, i32 %{{.+}}, ptr %x, i64 0, ptr null, i64 4, i32 1, ptr @site, i64 0, ptr [[COUNTS]], i64 4)
define void @loops(ptr %x, ptr %self, i64 %count, i32 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i32 [ 0, %entry ], [ %next, %thread ]
  %lane = and i32 %i, 31
  %warp = lshr i32 %i, 5
  %wide = zext nneg i32 %i to i64
  %px = getelementptr inbounds i32, ptr %x, i64 %wide
  call void @hw_check_reads(ptr %px, i64 4, i32 1, ptr @site, i64 %count, i64 256) [ "hostwarp.thread"(ptr %self, i32 %i, i32 0, i32 0, i32 %i, i32 %lane, i32 %warp) ]
  call void @hw_check_reads(ptr %x, i64 4, i32 1, ptr @site, i64 %wide, i64 4) [ "hostwarp.thread"(ptr %self, i32 %i, i32 0, i32 0, i32 %i, i32 %lane, i32 %warp) ]
  %v = load i32, ptr %px, align 4
  store i32 %v, ptr %px, align 4
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
; Rows that are known to be shorter fill registers.
; CHECK-LABEL: define void @rows(
; CHECK: call void @hw_check_lanes(i32 %{{.+}}, i32 65535, ptr %{{.+}}, i64 4, ptr null, i64 4, i32 1, ptr @site, ptr null)
define void @rows(ptr %x, ptr %self, i32 %n) #1 {
entry:
  br label %thread
thread:
  %i = phi i32 [ 0, %entry ], [ %next, %thread ]
  %lane = and i32 %i, 31
  %warp = lshr i32 %i, 5
  %wide = zext nneg i32 %i to i64
  %px = getelementptr inbounds i32, ptr %x, i64 %wide
  call void @hw_check_access(ptr %px, i64 4, i32 1, ptr @site, i64 0) [ "hostwarp.thread"(ptr %self, i32 %i, i32 0, i32 0, i32 %i, i32 %lane, i32 %warp) ]
  %v = load i32, ptr %px, align 4
  store i32 %v, ptr %px, align 4
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
attributes #1 = { "hostwarp-runs-block" "target-cpu"="x86-64-v4" "hostwarp-expected-row"="16" }
attributes #0 = { "hostwarp-runs-block" "target-cpu"="x86-64-v4" }
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.thread_loop"}
