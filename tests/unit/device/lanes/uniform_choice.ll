; A choice that all threads of a branch make alike is made once. Its code is so small that it runs where no thread takes
; the branch, too, and then the condition may be anything, poison among it: what comes of it has to be no thread.
; RUN: %passes --only=vectoriseThreadLoops | %check

; CHECK-LABEL: define void @k(
; CHECK: %[[TAKEN:.+]] = or <16 x i1> zeroinitializer, %{{.+}}
; CHECK-NOT: br i1
; CHECK: %[[SCALED:.+]] = mul nsw i32 %a, %b
; CHECK: %[[EVEN:.+]] = icmp sgt i32 %[[SCALED]], 0
; CHECK: %[[HOLDS:.+]] = freeze i1 %[[EVEN]]
; CHECK: select i1 %[[HOLDS]], <16 x i1> %[[TAKEN]], <16 x i1> zeroinitializer
; CHECK-NOT: br i1
; CHECK: extractelement <16 x i32> %{{.+}}, i64 15
define void @k(ptr %x, ptr %y, i32 %a, i32 %b, i64 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %join ]
  %px = getelementptr inbounds i32, ptr %x, i64 %i
  %v = load i32, ptr %px, align 4
  %big = icmp ugt i32 %v, 10
  br i1 %big, label %arm, label %join
arm:
  %scaled = mul nsw i32 %a, %b
  %positive = icmp sgt i32 %scaled, 0
  br i1 %positive, label %more, label %join
more:
  %w = add i32 %v, 10
  br label %join
join:
  %r = phi i32 [ %v, %thread ], [ 1, %arm ], [ %w, %more ]
  %three = mul nuw nsw i64 %i, 3
  %py = getelementptr inbounds i32, ptr %y, i64 %three
  store i32 %r, ptr %py, align 4
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
attributes #0 = { "hostwarp-runs-block" "target-cpu"="x86-64-v4" }
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.thread_loop"}
