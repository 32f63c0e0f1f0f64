; A loop that nothing leaves, and code that nobody comes to the end of: no region ends with them.
; RUN: %passes --analysis=regions | %check
; CHECK-LABEL: function forever
; CHECK: region 0 at %body: %body %loop; then 1, all together
; CHECK-NEXT: region 1 at %loop.split: %loop.split %loop; then 1, all together
define void @forever(i32 %thread, ptr %p) {
start:
  br label %body
body:
  br label %loop
loop:
  call void @barrier()
  store i32 %thread, ptr %p
  br label %loop
}
; CHECK-LABEL: function unreachable
; CHECK: region 0 at %body: %body %bad %good; then 1, all together
; CHECK-NEXT: region 1 at %good.split: %good.split; then exit, all together
define void @unreachable(i32 %thread, ptr %p) {
start:
  br label %body
body:
  %c = icmp ult i32 %thread, 3
  br i1 %c, label %bad, label %good
bad:
  call void @trap()
  unreachable
good:
  call void @barrier()
  ret void
}
declare void @barrier()
declare void @trap()
