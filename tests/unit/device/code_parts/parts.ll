; A large module in parts: each function is in one, what was internal has a name of this image that others can refer to,
; variables are in the first, and constants can be seen in all. Small modules stay whole. The loops are unrolled first, to
; make code.
; RUN: %passes --only=simplify --parts=2 | %check
; RUN: %passes --only=simplify --parts=1 | %check --check-prefix=WHOLE
; RUN: %passes --only=simplify --parts=8 | %check --check-prefix=TWO
; WHOLE: ; 0 parts
; TWO: ; 2 parts
target triple = "x86_64-pc-linux-gnu"

; CHECK: ; part 0
; CHECK-DAG: @count.unique = hidden {{.*}}global i32 0
; CHECK-DAG: @table.unique = hidden {{.*}}constant [2 x i32] [i32 1, i32 2]
; CHECK-DAG: define hidden {{.*}}void @large.unique(
; CHECK-DAG: declare hidden {{.*}}void @medium.unique(
; CHECK: ; part 1
; CHECK-DAG: @count.unique = external hidden {{.*}}global i32
; CHECK-DAG: @table.unique = available_externally hidden {{.*}}constant [2 x i32] [i32 1, i32 2]
; CHECK-DAG: define hidden {{.*}}void @medium.unique(
; CHECK-DAG: define weak_odr void @shared(
; CHECK-NOT: define {{.*}} @large
; CHECK: ; 2 parts
@count = internal global i32 0
@table = internal constant [2 x i32] [i32 1, i32 2]

define void @root(ptr %p) {
  call void @large(ptr %p)
  call void @shared(ptr %p)
  ret void
}
define internal void @large(ptr %p) noinline {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 2200
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  call void @medium(ptr %p)
  ret void
}
define internal void @medium(ptr %p) noinline {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr @count
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 1200
  br i1 %more, label %loop, label %end, !llvm.loop !2
end:
  %v = load volatile i32, ptr %p
  %e = getelementptr i32, ptr @table, i32 %v
  %c = load i32, ptr %e
  store i32 %c, ptr %p
  ret void
}
define linkonce_odr void @shared(ptr %p) noinline {
  call void @medium(ptr %p)
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.full"}
!2 = distinct !{!2, !1}
