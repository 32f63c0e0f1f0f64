; A cycle with two entries, one of its blocks with a barrier.
; RUN: %passes --analysis=regions | %check
; CHECK: region 0 at %body: {{.*}}; then 1, all together
; CHECK-NEXT: region 1 at %left.split: %left.split %right %end %left; then 1 exit{{$}}
; CHECK-DAG: slot %a: array, into 1
define void @two_entries(i32 %thread, i32 %n, ptr %p) {
start:
  br label %body
body:
  %c = icmp ult i32 %thread, 3
  br i1 %c, label %left, label %right
left:
  %a = phi i32 [ 0, %body ], [ %b.next, %right ]
  call void @barrier()
  %more = icmp ult i32 %a, %n
  br i1 %more, label %right, label %end
right:
  %b = phi i32 [ 1, %body ], [ %a, %left ]
  %b.next = add i32 %b, 2
  br label %left
end:
  ret void
}
declare void @barrier()
