; Loops that are left as they are.
; RUN: %passes --only=vectoriseThreadLoops | %check

; CHECK: define i32 @chain(
; CHECK-NOT: <16 x

; A thread needs what the one before has computed.
define i32 @chain(ptr %x, i64 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %hash = phi i32 [ 0, %entry ], [ %hash.next, %thread ]
  %px = getelementptr inbounds i32, ptr %x, i64 %i
  %v = load i32, ptr %px, align 4
  %mixed = mul i32 %hash, 31
  %hash.next = add i32 %mixed, %v
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret i32 %hash.next
}
define void @volatile(ptr %x, ptr %y, i64 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %px = getelementptr inbounds i32, ptr %x, i64 %i
  %v = load volatile i32, ptr %px, align 4
  %py = getelementptr inbounds i32, ptr %y, i64 %i
  store i32 %v, ptr %py, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
; Nothing but gathered and scattered memory would be slower by vectors.
define void @scattered(ptr %x, ptr %index, ptr %y, i64 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %pi = getelementptr inbounds i64, ptr %index, i64 %i
  %at = load i64, ptr %pi, align 8
  %px = getelementptr inbounds i32, ptr %x, i64 %at
  %v = load i32, ptr %px, align 4
  %py = getelementptr inbounds i32, ptr %y, i64 %at
  store i32 %v, ptr %py, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
; Not a loop over threads, and not a processor with enough of a vector.
define void @other_loop(ptr %x, ptr %y, i64 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %px = getelementptr inbounds i32, ptr %x, i64 %i
  %v = load i32, ptr %px, align 4
  %py = getelementptr inbounds i32, ptr %y, i64 %i
  store i32 %v, ptr %py, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end
end:
  ret void
}
define void @old_processor(ptr %x, ptr %y, i64 %n) #1 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %px = getelementptr inbounds i32, ptr %x, i64 %i
  %v = load i32, ptr %px, align 4
  %py = getelementptr inbounds i32, ptr %y, i64 %i
  store i32 %v, ptr %py, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
attributes #0 = { "hostwarp-runs-block" "target-cpu"="x86-64-v4" }
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.thread_loop"}
attributes #1 = { "hostwarp-runs-block" "target-cpu"="x86-64" }
