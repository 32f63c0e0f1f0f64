; At most twelve operations are computed again, none of them a division, a read or a call; a loop's common counter may be
; part of them where all uses are inside of that loop.
; RUN: %passes --analysis=regions | %check
; CHECK-LABEL: function chains
; CHECK-NOT: slot %short
; CHECK-DAG: slot %long: array, into 1
; CHECK-DAG: slot %called: array, into 1
; CHECK-LABEL: function in_loop
; CHECK-NOT: slot %scaled
; CHECK: slot %i: one, into 1
; CHECK-NOT: slot %scaled
define void @chains(i32 %thread, ptr %p) {
start:
  br label %body
body:
  %a1 = add i32 %thread, 1
  %a2 = xor i32 %a1, 3
  %short = mul i32 %a2, 5
  %b1 = mul i32 %thread, 3
  %b2 = xor i32 %b1, 1
  %b3 = mul i32 %b2, 3
  %b4 = xor i32 %b3, 1
  %b5 = mul i32 %b4, 3
  %b6 = xor i32 %b5, 1
  %b7 = mul i32 %b6, 3
  %b8 = xor i32 %b7, 1
  %b9 = mul i32 %b8, 3
  %b10 = xor i32 %b9, 1
  %b11 = mul i32 %b10, 3
  %b12 = xor i32 %b11, 1
  %long = mul i32 %b12, 3
  %called = call i32 @f(i32 %thread)
  call void @barrier()
  store i32 %short, ptr %p
  store i32 %long, ptr %p
  store i32 %called, ptr %p
  ret void
}
define void @in_loop(i32 %thread, i32 %n, ptr %p) {
start:
  br label %body
body:
  br label %loop
loop:
  %i = phi i32 [ 0, %body ], [ %next, %loop ]
  %scaled = mul i32 %i, %thread
  call void @barrier()
  store i32 %scaled, ptr %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
declare void @barrier()
declare i32 @f(i32)
