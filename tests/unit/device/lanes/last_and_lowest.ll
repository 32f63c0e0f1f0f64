; What threads say together: the lowest of their numbers, and the value of those that have one to give.
; RUN: %passes --only=vectoriseThreadLoops | %check

; CHECK-LABEL: define i32 @k(
; CHECK: turn:
; CHECK: call <16 x i32> @llvm.umin.v16i32(
; CHECK: %[[ANY:.+]] = call i1 @llvm.vector.reduce.or.v16i1(
; CHECK: select i1 %[[ANY]], i32 %common, i32
; CHECK: vectors:
; CHECK: call i32 @llvm.vector.reduce.umin.v16i32(
define i32 @k(ptr %x, i32 %common, i64 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %lowest = phi i32 [ -1, %entry ], [ %lowest.next, %thread ]
  %last = phi i32 [ 7, %entry ], [ %last.next, %thread ]
  %px = getelementptr inbounds i32, ptr %x, i64 %i
  %v = load i32, ptr %px, align 4
  %lowest.next = call i32 @llvm.umin.i32(i32 %lowest, i32 %v)
  %gives = icmp ugt i32 %v, 3
  %last.next = select i1 %gives, i32 %common, i32 %last
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  %sum = add i32 %lowest.next, %last.next
  ret i32 %sum
}
declare i32 @llvm.umin.i32(i32, i32)
attributes #0 = { "hostwarp-runs-block" "target-cpu"="x86-64-v4" }
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.thread_loop"}
