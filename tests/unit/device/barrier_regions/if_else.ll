; Different barriers in the arms of a branch: all threads go on together only where the branch is common to all.
; RUN: %passes --analysis=regions | %check
; CHECK-LABEL: function divergent
; CHECK: region 0 at %body: %body %then %else; then 1 2{{$}}
; CHECK-NEXT: region 1 at %then.split: %then.split %join; then exit, all together
; CHECK-NEXT: region 2 at %else.split: %else.split %join; then exit, all together
; What is common where they part is not where they stand at different barriers.
; CHECK: slot %common: array, into 1 2
define void @divergent(i32 %thread, i32 %n, ptr %p) {
start:
  br label %body
body:
  %common = udiv i32 100, %n
  %c = icmp ult i32 %thread, 3
  br i1 %c, label %then, label %else
then:
  call void @barrier()
  br label %join
else:
  call void @barrier()
  br label %join
join:
  store i32 %common, ptr %p
  ret void
}
; CHECK-LABEL: function uniform
; CHECK: region 0 at %body: %body %then %else; then 1 2, all together
; CHECK: slot %common: one, into 1 2
define void @uniform(i32 %thread, i32 %n, ptr %p) {
start:
  br label %body
body:
  %common = udiv i32 100, %n
  %c = icmp ult i32 %n, 3
  br i1 %c, label %then, label %else
then:
  call void @barrier()
  br label %join
else:
  call void @barrier()
  br label %join
join:
  store i32 %common, ptr %p
  ret void
}
; Arms without a barrier part nobody for long.
; CHECK-LABEL: function inside
; CHECK: region 0 at %body: %body %then %join; then 1, all together
; CHECK: slot %chosen: array, into 1
define void @inside(i32 %thread, i32 %n, ptr %p) {
start:
  br label %body
body:
  %c = icmp ult i32 %thread, 3
  br i1 %c, label %then, label %join
then:
  store i32 1, ptr %p
  br label %join
join:
  %chosen = phi i32 [ 1, %body ], [ %n, %then ]
  call void @barrier()
  store i32 %chosen, ptr %p
  ret void
}
declare void @barrier()
