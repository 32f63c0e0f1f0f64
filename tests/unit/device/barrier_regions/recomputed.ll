; At most twelve operations are computed again, none of them a division, a read or a call; a loop's common counter may be
; part of them where all uses are inside of that loop, and so may what else all threads have.
; RUN: %passes --analysis=regions | %check
; CHECK-LABEL: function chains
; CHECK-NOT: slot %short
; CHECK-DAG: slot %long: array, into 1
; CHECK-DAG: slot %called: array, into 1
; CHECK-LABEL: function in_loop
; CHECK-NOT: slot %scaled
; CHECK: slot %i: one, into 1
; CHECK-NOT: slot %scaled
; CHECK-LABEL: function of_common
; CHECK-NOT: slot %place
; CHECK: slot %common: one, into 1
; CHECK-NOT: slot %place
; CHECK-LABEL: function of_copies
; CHECK: region 1
; CHECK-NOT: slot
; CHECK-LABEL: function left_apart
; CHECK: slot %place: array, into
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
define void @of_common(i32 %thread, i32 %n, ptr %p) {
start:
  br label %body
body:
  %common = udiv i32 100, %n
  %left = sub i32 %thread, 1
  %isOutside = icmp slt i32 %left, %common
  %place = select i1 %isOutside, i32 %common, i32 %left
  call void @barrier()
  store i32 %place, ptr %p
  ret void
}
; What all have is cheap itself, and comes before what needs it.
define void @of_copies(i32 %thread, i32 %n, ptr %p) {
start:
  br label %body
body:
  %c1 = mul i32 %n, 3
  %c2 = xor i32 %c1, 1
  %c3 = mul i32 %c2, 3
  %c4 = xor i32 %c3, 1
  %c5 = mul i32 %c4, 3
  %c6 = xor i32 %c5, 1
  %common = add i32 %c6, 7
  %sum = add i32 %common, %thread
  %v1 = mul i32 %sum, 3
  %v2 = xor i32 %v1, 1
  %v3 = mul i32 %v2, 3
  %v4 = xor i32 %v3, 1
  %v5 = mul i32 %v4, 3
  %v6 = xor i32 %v5, 1
  %v7 = mul i32 %v6, 3
  %v8 = xor i32 %v7, 1
  call void @barrier()
  store i32 %v8, ptr %p
  ret void
}
; Behind a loop that threads leave at different times they do not have the same of what it computes.
define void @left_apart(i32 %thread, i32 %n, ptr %p) {
start:
  br label %body
body:
  br label %loop
loop:
  %i = phi i32 [ 0, %body ], [ %next, %loop ]
  %next = add i32 %i, 1
  %part = udiv i32 %i, %n
  %place = add i32 %part, %thread
  %more = icmp ult i32 %next, %thread
  br i1 %more, label %loop, label %end
end:
  call void @barrier()
  store i32 %place, ptr %p
  ret void
}
declare void @barrier()
declare i32 @f(i32)
