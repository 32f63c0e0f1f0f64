; A variable that threads set to one value on their ways, and that the others leave: it is set if any lane sets it. Where it
; is not one value, or another instruction looks at it, a thread needs what the one before has computed.
; RUN: %passes --only=vectoriseThreadLoops | %check

; CHECK-LABEL: define i32 @guarded(
; CHECK: turn:
; CHECK: store <16 x i32>
; CHECK: %[[SET:.+]] = phi <16 x i1>
; CHECK: %[[ANY:.+]] = call i1 @llvm.vector.reduce.or.v16i1(<16 x i1> %[[SET]])
; CHECK: select i1 %[[ANY]], i32 7, i32 %{{.+}}
; CHECK: rest:
define i32 @guarded(ptr %x, ptr %y, i32 %start) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %end_of_thread ]
  %last = phi i32 [ %start, %entry ], [ %after, %end_of_thread ]
  %px = getelementptr inbounds i32, ptr %x, i64 %t
  %py = getelementptr inbounds i32, ptr %y, i64 %t
  %v = load i32, ptr %px, align 4
  store i32 %v, ptr %py, align 4
  %negative = icmp slt i32 %v, 0
  br i1 %negative, label %sets, label %end_of_thread
sets:
  store i32 0, ptr %px, align 4
  br label %end_of_thread
end_of_thread:
  %after = phi i32 [ %last, %thread ], [ 7, %sets ]
  %next = add nuw nsw i64 %t, 1
  %more = icmp ult i64 %next, 256
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret i32 %after
}

; CHECK-LABEL: define i32 @two_values(
; CHECK-NOT: <16 x i32>
; CHECK: ret i32
define i32 @two_values(ptr %x, i32 %start) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %end_of_thread ]
  %last = phi i32 [ %start, %entry ], [ %after, %end_of_thread ]
  %px = getelementptr inbounds i32, ptr %x, i64 %t
  %v = load i32, ptr %px, align 4
  switch i32 %v, label %end_of_thread [ i32 1, label %one
                                        i32 2, label %two ]
one:
  store i32 0, ptr %px, align 4
  br label %end_of_thread
two:
  store i32 5, ptr %px, align 4
  br label %end_of_thread
end_of_thread:
  %after = phi i32 [ %last, %thread ], [ 7, %one ], [ 8, %two ]
  %next = add nuw nsw i64 %t, 1
  %more = icmp ult i64 %next, 256
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret i32 %after
}

; CHECK-LABEL: define i32 @looked_at(
; CHECK-NOT: <16 x i32>
; CHECK: ret i32
define i32 @looked_at(ptr %x, i32 %start) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %end_of_thread ]
  %last = phi i32 [ %start, %entry ], [ %after, %end_of_thread ]
  %px = getelementptr inbounds i32, ptr %x, i64 %t
  %v = load i32, ptr %px, align 4
  %negative = icmp slt i32 %v, 0
  br i1 %negative, label %sets, label %end_of_thread
sets:
  store i32 %last, ptr %px, align 4
  br label %end_of_thread
end_of_thread:
  %after = phi i32 [ %last, %thread ], [ 7, %sets ]
  %next = add nuw nsw i64 %t, 1
  %more = icmp ult i64 %next, 256
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret i32 %after
}
attributes #0 = { "hostwarp-runs-block" "target-cpu"="x86-64-v4" }
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.thread_loop"}
