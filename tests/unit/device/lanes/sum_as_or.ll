; An index that is the sum of a multiple of 32 and a smaller number, and therefore written as an `or`. Behind the guard that
; is right; the first lane, which gives the other lanes' indices, may not have passed it.
; RUN: %passes --only=vectoriseThreadLoops | %check

; CHECK-LABEL: define void @k(
; CHECK: lanes:
; CHECK: %[[FIRST:.+]] = sub i64 %step, %{{.+}}
; CHECK-NOT: or i64
; CHECK: add i64 %base, %[[FIRST]]
define void @k(ptr %x, ptr noalias %y, i64 %block, i64 %step, i64 %n) #0 {
entry:
  %base = shl i64 %block, 5
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %left ]
  %py = getelementptr inbounds i32, ptr %y, i64 %i
  %within = sub nsw i64 %step, %i
  %is.within = icmp ult i64 %within, 32
  br i1 %is.within, label %take, label %left
take:
  %at = or disjoint i64 %base, %within
  %px = getelementptr inbounds i32, ptr %x, i64 %at
  %v = load i32, ptr %px, align 4
  switch i32 %v, label %other [ i32 1, label %one
                                i32 2, label %left ]
one:
  br label %left
other:
  %more.v = mul i32 %v, 7
  br label %left
left:
  %all = phi i32 [ 0, %thread ], [ %v, %take ], [ 5, %one ], [ %more.v, %other ]
  store i32 %all, ptr %py, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
attributes #0 = { "hostwarp-runs-block" "target-cpu"="x86-64-v4" }
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.thread_loop"}
