; At a meeting point threads may wait for the sake of speed. What is common stays so for those that go the same way; the
; regions behind barriers come first.
; RUN: %passes --analysis=regions | %check
; CHECK: region 0 at %body: %body %rest %end; then 2 exit{{$}}
; CHECK-NEXT: region 1 at %rest.split: %rest.split %end; then exit, all together
; CHECK-NEXT: region 2 at %rest.split[[N:[0-9]*]]: %rest.split[[N]]; then 1, all together
; CHECK-DAG: slot %common: one, into 1 2
define void @guard(i32 %thread, i32 %n, ptr %p) {
start:
  br label %body
body:
  %common = udiv i32 100, %n
  %c = icmp ult i32 %thread, %n
  br i1 %c, label %rest, label %end
rest:
  call void @meet()
  store i32 %thread, ptr %p
  call void @barrier()
  store i32 %common, ptr %p
  br label %end
end:
  ret void
}
declare void @barrier()
declare void @meet()
