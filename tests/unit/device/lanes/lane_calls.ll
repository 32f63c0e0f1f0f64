; What has a function for several threads at once is called so; of another unit's one finds out when the program runs.
; RUN: %passes --only=vectoriseThreadLoops | %check

; CHECK-LABEL: define void @k(
; CHECK: call void @__hwd_lanes.near(i32 65535, ptr %{{.+}}, ptr %{{.+}}, ptr %{{.+}})
; CHECK: %[[IS_THERE:.+]] = icmp ne ptr @__hwd_lanes.far, null
; CHECK: br i1 %[[IS_THERE]], label %together, label %one_by_one
; CHECK: together:
; CHECK: call void @__hwd_lanes.far(i32 65535, ptr %{{.+}}, ptr %{{.+}})
; CHECK: lane:
; CHECK: call void @far(i32
; CHECK: call void @__hwd_lanes.near(i32 %{{.+}}, ptr
define void @k(ptr %x, ptr %y, ptr %self, i64 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %left ]
  %t = trunc i64 %i to i32
  %px = getelementptr inbounds i32, ptr %x, i64 %i
  %v = load i32, ptr %px, align 4
  %r = call i32 @near(i32 %v) [ "hostwarp.thread"(ptr %self, i32 %t, i32 0, i32 0, i32 %t, i32 %t, i32 0), "hostwarp.lanes"(ptr @__hwd_lanes.near) ]
  call void @far(i32 %r) [ "hostwarp.thread"(ptr %self, i32 %t, i32 0, i32 0, i32 %t, i32 %t, i32 0), "hostwarp.lanes"(ptr @__hwd_lanes.far) ]
  %some = icmp sgt i32 %r, 3
  br i1 %some, label %part, label %left
part:
  %s = call i32 @near(i32 %r) [ "hostwarp.thread"(ptr %self, i32 %t, i32 0, i32 0, i32 %t, i32 %t, i32 0), "hostwarp.lanes"(ptr @__hwd_lanes.near) ]
  %py = getelementptr inbounds i32, ptr %y, i64 %i
  store i32 %s, ptr %py, align 4
  br label %left
left:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
declare i32 @near(i32)
declare void @far(i32)
declare void @__hwd_lanes.near(i32, ptr, ptr, ptr)
declare extern_weak hidden void @__hwd_lanes.far(i32, ptr, ptr)
attributes #0 = { "hostwarp-runs-block" "target-cpu"="x86-64-v4" }
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.thread_loop"}
