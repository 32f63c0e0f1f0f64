; Threads that return early do not come to the barrier. Those that do have the same common values.
; RUN: %passes --analysis=regions | %check
; CHECK: region 0 at %body: %body %end %rest; then 1 exit{{$}}
; CHECK-NEXT: region 1 at %rest.split: %rest.split %end; then exit, all together
; CHECK: slot %common: one, into 1
define void @early(i32 %thread, i32 %n, ptr %p) {
start:
  br label %body
body:
  %common = udiv i32 100, %n
  %c = icmp uge i32 %thread, %n
  br i1 %c, label %end, label %rest
rest:
  call void @barrier()
  store i32 %common, ptr %p
  br label %end
end:
  ret void
}
declare void @barrier()
