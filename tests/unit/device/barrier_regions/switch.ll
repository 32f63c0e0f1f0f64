; Barriers in some of a switch's ways; another ends the thread.
; RUN: %passes --analysis=regions | %check
; CHECK: region 0 at %body: {{.*}}; then 1 2 exit{{$}}
; CHECK: region 1 at %zero.split: %zero.split %join; then exit, all together
; CHECK: region 2 at %one.split: %one.split %join; then exit, all together
define void @ways(i32 %thread, i32 %n, ptr %p) {
start:
  br label %body
body:
  switch i32 %thread, label %other [
    i32 0, label %zero
    i32 1, label %one
  ]
zero:
  call void @barrier()
  br label %join
one:
  call void @barrier()
  br label %join
other:
  ret void
join:
  ret void
}
declare void @barrier()
