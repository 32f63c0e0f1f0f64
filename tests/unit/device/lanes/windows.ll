; Places that follow from a thread's number and from constants are in the same order in every vector: what lies there is
; loaded or stored at once, and permuted. What another lane's place is from memory, or a sum that runs over, is looked up.
; RUN: %passes --only=vectoriseThreadLoops | %check

; 0 1 4 5 8 9 ... of the lower half, then the upper one.
; CHECK-LABEL: define void @spread(
; CHECK: turn:
; CHECK: %[[LOW:.+]] = load <16 x i32>, ptr %[[PLACE:.+]], align 4
; CHECK: %[[LAST:.+]] = getelementptr i32, ptr %[[PLACE]], i32 14
; CHECK: %[[HIGH:.+]] = load <16 x i32>, ptr %[[LAST]], align 4
; CHECK: shufflevector <16 x i32> %[[LOW]], <16 x i32> %[[HIGH]], <16 x i32> <i32 0, i32 1, i32 4, i32 5, i32 8, i32 9, i32 12, i32 13, i32 18, i32 19, i32 22, i32 23, i32 26, i32 27, i32 30, i32 31>
; CHECK: store <16 x i32>
define void @spread(ptr %x, ptr %y) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %thread ]
  %low = and i64 %t, 1
  %twice = shl i64 %t, 1
  %place = sub i64 %twice, %low
  %px = getelementptr inbounds i32, ptr %x, i64 %place
  %v = load i32, ptr %px, align 4
  %py = getelementptr inbounds i32, ptr %y, i64 %t
  store i32 %v, ptr %py, align 4
  %next = add nuw nsw i64 %t, 1
  %more = icmp ult i64 %next, 256
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}

; Neighbours change places, in the narrow numbers that programs have.
; CHECK-LABEL: define void @swapped(
; CHECK: turn:
; CHECK: load <16 x i32>
; CHECK: %[[SWAPPED:.+]] = shufflevector <16 x i32> %{{.+}}, <16 x i32> poison, <16 x i32> <i32 1, i32 0, i32 3, i32 2,
; CHECK: store <16 x i32> %[[SWAPPED]]
define void @swapped(ptr %x, ptr %y) #0 {
entry:
  br label %thread
thread:
  %t = phi i32 [ 0, %entry ], [ %next, %thread ]
  %place = xor i32 %t, 1
  %wide = sext i32 %place to i64
  %t.wide = sext i32 %t to i64
  %px = getelementptr inbounds i32, ptr %x, i64 %t.wide
  %v = load i32, ptr %px, align 4
  %py = getelementptr inbounds i32, ptr %y, i64 %wide
  store i32 %v, ptr %py, align 4
  %next = add nuw nsw i32 %t, 1
  %more = icmp ult i32 %next, 256
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}

; Two threads with one element have it from one; of two that store to one place, one has to win.
; CHECK-LABEL: define void @halves(
; CHECK: turn:
; CHECK: call <16 x i32> @llvm.masked.load.v16i32.p0(ptr %{{.+}}, i32 4, <16 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 false
; CHECK: shufflevector {{.*}} <i32 0, i32 0, i32 1, i32 1,
; CHECK: call void @llvm.masked.scatter
define void @halves(ptr %x, ptr %y) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %thread ]
  %place = lshr i64 %t, 1
  %px = getelementptr inbounds i32, ptr %x, i64 %place
  %v = load i32, ptr %px, align 4
  %py = getelementptr inbounds i32, ptr %y, i64 %place
  store i32 %v, ptr %py, align 4
  %next = add nuw nsw i64 %t, 1
  %more = icmp ult i64 %next, 256
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}

; A vector may begin in the middle of the pattern.
; CHECK-LABEL: define void @anywhere(
; CHECK: call <16 x i32> @llvm.masked.gather
define void @anywhere(ptr %x, ptr %y, i64 %first) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %thread ]
  %from = add i64 %t, %first
  %place = xor i64 %from, 5
  %px = getelementptr inbounds i32, ptr %x, i64 %place
  %v = load i32, ptr %px, align 4
  %py = getelementptr inbounds i32, ptr %y, i64 %t
  store i32 %v, ptr %py, align 4
  %next = add nuw nsw i64 %t, 1
  %more = icmp ult i64 %next, 256
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
attributes #0 = { "hostwarp-runs-block" "target-cpu"="x86-64-v4" }
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.thread_loop"}
