; The arms of a branch run one after the other for the threads that take them, or not at all; no thread divides by what
; another has, nor stores where it does not come by.
; RUN: %passes --only=vectoriseThreadLoops | %check

; CHECK-LABEL: define void @k(
; CHECK: %[[BIG:.+]] = icmp ugt <16 x i32>
; CHECK: %[[MASK:.+]] = or <16 x i1> zeroinitializer, %[[BIG]]
; CHECK: %[[ANY:.+]] = call i1 @llvm.vector.reduce.or.v16i1(<16 x i1> %[[MASK]])
; CHECK: br i1 %[[ANY]], label %any, label %none
; CHECK: any:
; CHECK: %[[DIVISOR:.+]] = select <16 x i1> %[[MASK]], <16 x i32> %{{.+}}, <16 x i32> <i32 1, i32 1, {{.+}}>
; CHECK: icmp eq <16 x i32> %[[DIVISOR]], zeroinitializer
; CHECK: br i1 %{{.+}}, label %trap, label %divide
; CHECK: none:
; CHECK: phi <16 x i32>
; CHECK: trap:
; CHECK: udiv <16 x i32> <i32 1000, {{[^>]+}}>, %[[DIVISOR]]
; CHECK: divided:
; CHECK: call void @llvm.masked.store.v16i32.p0(<16 x i32> %{{.+}}, ptr %{{.+}}, i32 4, <16 x i1> %[[MASK]])
; CHECK: select <16 x i1> %[[MASK]]
define void @k(ptr %x, ptr %y, ptr %z, i64 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %join ]
  %px = getelementptr inbounds i32, ptr %x, i64 %i
  %v = load i32, ptr %px, align 4
  %big = icmp ugt i32 %v, 10
  br i1 %big, label %arm, label %join
arm:
  %w = sub i32 %v, 10
  %quotient = udiv i32 1000, %w
  %pz = getelementptr inbounds i32, ptr %z, i64 %i
  store i32 %quotient, ptr %pz, align 4
  br label %join
join:
  %r = phi i32 [ %v, %thread ], [ %quotient, %arm ]
  %py = getelementptr inbounds i32, ptr %y, i64 %i
  store i32 %r, ptr %py, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
attributes #0 = { "hostwarp-runs-block" "target-cpu"="x86-64-v4" }
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.thread_loop"}
