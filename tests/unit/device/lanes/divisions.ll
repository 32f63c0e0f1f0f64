; Integers of up to 32 bits are divided as doubles, unless some lane's quotient does not exist: then as single threads divide.
; Divisors that are constants are LLVM's to replace.
; RUN: %passes --only=vectoriseThreadLoops | %check

; CHECK-LABEL: define void @signed_rest(
; CHECK: icmp eq <16 x i32> %{{.+}}, <i32 -2147483648,
; CHECK: br i1 %{{.+}}, label %trap, label %divide
; CHECK: sitofp <16 x i32> %{{.+}} to <16 x double>
; CHECK: fdiv <16 x double>
; CHECK: fptosi <16 x double> %{{.+}} to <16 x i32>
; CHECK: mul <16 x i32>
; CHECK: sub <16 x i32>
; CHECK: trap:
; CHECK: srem <16 x i32>
; CHECK: divided:
define void @signed_rest(ptr %x, ptr %y) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %thread ]
  %px = getelementptr inbounds i32, ptr %x, i64 %t
  %v = load i32, ptr %px
  %py = getelementptr inbounds i32, ptr %y, i64 %t
  %d = load i32, ptr %py
  %q = srem i32 %v, %d
  store i32 %q, ptr %py
  %next = add nuw nsw i64 %t, 1
  %more = icmp ult i64 %next, 256
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
; CHECK-LABEL: define void @unsigned_quotient(
; CHECK: uitofp <16 x i16> %{{.+}} to <16 x double>
; CHECK: fptoui <16 x double> %{{.+}} to <16 x i16>
define void @unsigned_quotient(ptr %x, ptr %y) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %thread ]
  %px = getelementptr inbounds i16, ptr %x, i64 %t
  %v = load i16, ptr %px
  %py = getelementptr inbounds i16, ptr %y, i64 %t
  %d = load i16, ptr %py
  %q = udiv i16 %v, %d
  store i16 %q, ptr %py
  %next = add nuw nsw i64 %t, 1
  %more = icmp ult i64 %next, 256
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
; CHECK-LABEL: define void @by_constant(
; CHECK-NOT: fdiv
; CHECK: udiv <16 x i32> %{{.+}}, <i32 7, 
define void @by_constant(ptr %x, ptr %y) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %thread ]
  %px = getelementptr inbounds i32, ptr %x, i64 %t
  %v = load i32, ptr %px
  %py = getelementptr inbounds i32, ptr %y, i64 %t
  %d = load i32, ptr %py
  %q = udiv i32 %v, 7
  store i32 %q, ptr %py
  %next = add nuw nsw i64 %t, 1
  %more = icmp ult i64 %next, 256
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
; CHECK-LABEL: define void @wide(
; CHECK-NOT: fdiv
; CHECK: ret void
define void @wide(ptr %x, ptr %y) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %thread ]
  %px = getelementptr inbounds i64, ptr %x, i64 %t
  %v = load i64, ptr %px
  %py = getelementptr inbounds i64, ptr %y, i64 %t
  %d = load i64, ptr %py
  %q = udiv i64 %v, %d
  store i64 %q, ptr %py
  %next = add nuw nsw i64 %t, 1
  %more = icmp ult i64 %next, 256
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
attributes #0 = { "hostwarp-runs-block" "target-cpu"="x86-64-v4" }
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.thread_loop"}
