; A function whose code LLVM's slow passes are left out for is not in one part with others, however uneven the parts are.
; RUN: %passes --only=simplify --parts=2 | %check
target triple = "x86_64-pc-linux-gnu"

; CHECK: ; part 0
; CHECK-DAG: define void @large(
; CHECK-NOT: define {{.*}} @{{(first|second|third)}}(
; CHECK: ; part 1
; CHECK-DAG: define void @first(
; CHECK-DAG: define void @second(
; CHECK-DAG: define void @third(
; CHECK-NOT: define {{.*}} @large
; CHECK: ; 2 parts
define void @first(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 2200
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}
define void @second(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 2200
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}
define void @third(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 2200
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}
define void @large(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 4200
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.full"}
