; Where a few instructions decide whether lanes have neighbouring elements, the block stands there twice, behind one test
; of all of them: with wide accesses, and with what it takes otherwise.
; RUN: %passes --only=vectoriseThreadLoops | %check

; A clamp: no lane lies beyond either bound.
; CHECK-LABEL: define void @clamped(
; CHECK: %[[FIRST:.+]] = add i64 %{{.+}}, -2
; CHECK: icmp sge i64 %[[FIRST]], 0
; CHECK: %[[LAST:.+]] = add i64 %[[FIRST]], 15
; CHECK: icmp sle i64 %[[LAST]], %last
; CHECK: br i1 %{{.+}}, label %as_assumed, label %otherwise
; CHECK: as_assumed:
; CHECK: load <16 x float>, ptr %{{.+}}, align 4
; CHECK: otherwise:
; CHECK: side_by_side:
; CHECK: call <16 x float> @llvm.masked.gather
define void @clamped(ptr %x, ptr %y, i64 %n, i64 %last) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %left = add i64 %i, -2
  %low = call i64 @llvm.smax.i64(i64 %left, i64 0)
  %at = call i64 @llvm.smin.i64(i64 %low, i64 %last)
  %px = getelementptr inbounds float, ptr %x, i64 %at
  %v = load float, ptr %px, align 4
  %py = getelementptr inbounds float, ptr %y, i64 %i
  store float %v, ptr %py, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}

; What follows from a bounded number is computed for the tests as if no lane were beyond the bound, without what is
; promised of the number that it really follows from.
; CHECK-LABEL: define void @bounded_twice(
; CHECK: %[[FIRST:.+]] = add i64 %{{.+}}, 3
; CHECK: icmp sle i64 %[[FIRST]], %last
; CHECK: %[[HOLDS:.+]] = freeze i1
; CHECK: br i1 %[[HOLDS]], label %as_assumed, label %otherwise
define void @bounded_twice(ptr %x, ptr %y, i64 %n, i64 %last) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %left = add i64 %i, -2
  %low = call i64 @llvm.smax.i64(i64 %left, i64 0)
  %right = add nsw i64 %low, 3
  %at = call i64 @llvm.smin.i64(i64 %right, i64 %last)
  %px = getelementptr inbounds float, ptr %x, i64 %at
  %v = load float, ptr %px, align 4
  %py = getelementptr inbounds float, ptr %y, i64 %i
  store float %v, ptr %py, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}

; A quotient: all lanes have the same, and load one element. A divisor that may be zero divides nothing in the test.
; CHECK-LABEL: define void @divided(
; CHECK: %[[VALID:.+]] = select i1 %{{.+}}, i64 %width, i64 1
; CHECK: udiv i64 %{{.+}}, %[[VALID]]
; CHECK: as_assumed:
; CHECK: load float, ptr
; CHECK: otherwise:
define void @divided(ptr %x, ptr %y, i64 %n, i64 %width) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %row = udiv i64 %i, %width
  %px = getelementptr inbounds float, ptr %x, i64 %row
  %v = load float, ptr %px, align 4
  %py = getelementptr inbounds float, ptr %y, i64 %i
  store float %v, ptr %py, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}

; A minimum of what all lanes have in common is computed, not passed on.
; CHECK-LABEL: define void @common_minimum(
; CHECK: as_assumed:
; CHECK: call i64 @llvm.umin.i64(i64 %{{.+}}, i64 3)
; CHECK: otherwise:
define void @common_minimum(ptr %x, ptr %y, i64 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %row = lshr i64 %i, 6
  %low = call i64 @llvm.umin.i64(i64 %row, i64 3)
  %px = getelementptr inbounds float, ptr %x, i64 %low
  %v = load float, ptr %px, align 4
  %py = getelementptr inbounds float, ptr %y, i64 %i
  store float %v, ptr %py, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}

; What is read from memory tells nothing.
; CHECK-LABEL: define void @from_memory(
; CHECK-NOT: as_assumed
; CHECK: ret void
define void @from_memory(ptr %x, ptr %index, ptr %y, i64 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %pi = getelementptr inbounds i64, ptr %index, i64 %i
  %given = load i64, ptr %pi, align 8
  %low = call i64 @llvm.smax.i64(i64 %given, i64 0)
  %px = getelementptr inbounds float, ptr %x, i64 %low
  %v = load float, ptr %px, align 4
  %a = fadd float %v, 1.0
  %b = fmul float %a, %a
  %c = fadd float %b, %v
  %d = fmul float %c, %b
  %py = getelementptr inbounds float, ptr %y, i64 %i
  store float %d, ptr %py, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}

; The lowest of all threads' values is a scalar as long as lanes have the same.
; CHECK-LABEL: define i32 @lowest(
; CHECK: as_assumed:
; CHECK: call i32 @llvm.umin.i32(i32
; CHECK: otherwise:
; CHECK: call <16 x i32> @llvm.umin.v16i32
; CHECK: vectors:
; CHECK: call i32 @llvm.vector.reduce.umin.v16i32
define i32 @lowest(ptr %y, i64 %n, i64 %edge) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %least = phi i32 [ -1, %entry ], [ %less, %thread ]
  %isInside = icmp slt i64 %i, %edge
  %state = select i1 %isInside, i32 1, i32 3
  %py = getelementptr inbounds i32, ptr %y, i64 %i
  store i32 %state, ptr %py, align 4
  %less = call i32 @llvm.umin.i32(i32 %least, i32 %state)
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret i32 %less
}
attributes #0 = { "hostwarp-runs-block" "target-cpu"="x86-64-v4" }
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.thread_loop"}
