; A loop with more waits than a block entry should have code for is not to be unrolled; a barrier counts as four of them.
; RUN: %passes --only=keepWaitsRolled | %check

; CHECK-LABEL: define void @few(
; CHECK: br i1 %more, label %turn, label %end{{$}}
define void @few() {
entry:
  br label %turn
turn:
  %i = phi i32 [ 0, %entry ], [ %next, %turn ]
  call void @hw_syncwarp(i32 -1)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 16
  br i1 %more, label %turn, label %end
end:
  ret void
}
; CHECK-LABEL: define void @many(
; CHECK: br i1 %more, label %turn, label %end, !llvm.loop ![[MANY:[0-9]+]]
define void @many() {
entry:
  br label %turn
turn:
  %i = phi i32 [ 0, %entry ], [ %next, %turn ]
  call void @hw_syncwarp(i32 -1)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 17
  br i1 %more, label %turn, label %end
end:
  ret void
}
; CHECK-LABEL: define void @barriers(
; CHECK: br i1 %more, label %turn, label %end, !llvm.loop
define void @barriers() {
entry:
  br label %turn
turn:
  %i = phi i32 [ 0, %entry ], [ %next, %turn ]
  call void @hw_barrier(i32 0, i32 0)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 5
  br i1 %more, label %turn, label %end
end:
  ret void
}
; CHECK-LABEL: define void @none(
; CHECK: br i1 %more, label %turn, label %end{{$}}
define void @none(ptr %p) {
entry:
  br label %turn
turn:
  %i = phi i32 [ 0, %entry ], [ %next, %turn ]
  store volatile i32 %i, ptr %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 100
  br i1 %more, label %turn, label %end
end:
  ret void
}
; CHECK: ![[DISABLE:[0-9]+]] = !{!"llvm.loop.unroll.disable"}
declare void @hw_syncwarp(i32)
declare void @hw_barrier(i32, i32)
