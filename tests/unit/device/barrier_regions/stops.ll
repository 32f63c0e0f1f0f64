; Threads that stop in a waiting loop may stand there in different turns: then nothing is common to them.
; RUN: %passes --analysis=regions | %check
; CHECK-LABEL: function waits
; CHECK: region 1 at %loop.split: %loop.split %loop %end; then 1 exit{{$}}
; CHECK: slot %i: array, into 1
define void @waits(i32 %thread, i32 %n, ptr %p) {
start:
  br label %body
body:
  br label %loop
loop:
  %i = phi i32 [ 0, %body ], [ %next, %loop ]
  call void @stop()
  %seen = load volatile i32, ptr %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %seen, %n
  br i1 %more, label %loop, label %end
end:
  store i32 %i, ptr %p
  ret void
}
declare void @stop()
