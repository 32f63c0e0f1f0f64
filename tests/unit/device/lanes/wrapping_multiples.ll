; Multiples of the thread's number in few bits are taken to follow each other with more, unless they wrap around: that is
; looked at before the loop, also of those that begin at 0, for which LLVM has no check.
; RUN: %passes --only=vectoriseThreadLoops | %check

; 127 times 1000 has more than 16 bits.
; CHECK-LABEL: define void @wraps(
; CHECK: %[[LAST:.+]] = call { i16, i1 } @llvm.umul.with.overflow.i16(i16 1000, i16 127)
; CHECK: %[[WRAPS:.+]] = extractvalue { i16, i1 } %[[LAST]], 1
; CHECK: %[[WRONG:.+]] = or i1 false, %[[WRAPS]]
; CHECK: select i1 %{{.+}}, i64 0, i64 128
; CHECK: br i1 %{{.+}}, label %lanes.entry, label %
define void @wraps(ptr %args, ptr %frame, ptr %out) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %thread ]
  %low = trunc i64 %t to i16
  %multiple = mul i16 %low, 1000
  %wide = zext i16 %multiple to i64
  %to = getelementptr i64, ptr %out, i64 %t
  store i64 %wide, ptr %to
  %next = add nuw nsw i64 %t, 1
  %end = icmp eq i64 %next, 128
  br i1 %end, label %done, label %thread, !llvm.loop !0
done:
  ret void
}

; CHECK-LABEL: define void @fits(
; CHECK: br i1 true, label %lanes.entry, label %
define void @fits(ptr %args, ptr %frame, ptr %out) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %thread ]
  %low = trunc i64 %t to i16
  %multiple = mul i16 %low, 500
  %wide = zext i16 %multiple to i64
  %to = getelementptr i64, ptr %out, i64 %t
  store i64 %wide, ptr %to
  %next = add nuw nsw i64 %t, 1
  %end = icmp eq i64 %next, 128
  br i1 %end, label %done, label %thread, !llvm.loop !2
done:
  ret void
}

; How many threads there are, only the run tells.
; CHECK-LABEL: define void @may_wrap(
; CHECK: %[[PRODUCT:.+]] = call { i16, i1 } @llvm.umul.with.overflow.i16(i16 1000, i16
; CHECK: extractvalue { i16, i1 } %[[PRODUCT]], 1
; CHECK: br i1 %{{.+}}, label %lanes.entry, label %
define void @may_wrap(ptr %args, ptr %frame, ptr %out, i64 %n) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %thread ]
  %low = trunc i64 %t to i16
  %multiple = mul i16 %low, 1000
  %wide = zext i16 %multiple to i64
  %to = getelementptr i64, ptr %out, i64 %t
  store i64 %wide, ptr %to
  %next = add nuw nsw i64 %t, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %done, label %thread, !llvm.loop !3
done:
  ret void
}

attributes #0 = { "hostwarp-runs-block" "target-cpu"="x86-64-v4" }
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.thread_loop"}
!2 = distinct !{!2, !1}
!3 = distinct !{!3, !1}
