; Threads meet in each turn of an innermost loop whose accesses are side by side, and behind it; the loop's variable is
; then the sum of what is the thread's and what is common. Loops with other accesses, or with calls, stay.
; RUN: %passes --analysis=meeting-points | %check
; CHECK-LABEL: function side_by_side
; CHECK: loop:
; CHECK: phi i32
; CHECK: call void @hw_meeting_point()
; CHECK: load i32
; CHECK: {{^}}end{{.*}}:
; CHECK-NEXT: call void @hw_meeting_point()
; CHECK: ; 2 meeting points
define void @side_by_side(i32 %x, i32 %y, i32 %z, i32 %linear, i32 %lane, i32 %warp, ptr %p, i32 %n, i32 %w) {
entry:
  br label %loop
loop:
  %i = phi i32 [ %x, %entry ], [ %next, %loop ]
  %turn = phi i32 [ 0, %entry ], [ %turn.next, %loop ]
  %i64 = zext i32 %i to i64
  %a = getelementptr i32, ptr %p, i64 %i64
  %v = load i32, ptr %a
  %v2 = add i32 %v, 1
  store i32 %v2, ptr %a
  %next = add i32 %i, %w
  %turn.next = add i32 %turn, 1
  %more = icmp ult i32 %turn.next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
; CHECK-LABEL: function far_apart
; CHECK-NOT: hw_meeting_point
; CHECK: ; 0 meeting points
define void @far_apart(i32 %x, i32 %y, i32 %z, i32 %linear, i32 %lane, i32 %warp, ptr %p, i32 %n) {
entry:
  %row = mul i32 %x, 1000
  br label %loop
loop:
  %turn = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = add i32 %row, %turn
  %i64 = zext i32 %at to i64
  %a = getelementptr i32, ptr %p, i64 %i64
  store i32 1, ptr %a
  %next = add i32 %turn, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
; CHECK-LABEL: function with_call
; CHECK: ; 0 meeting points
define void @with_call(i32 %x, i32 %y, i32 %z, i32 %linear, i32 %lane, i32 %warp, ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %turn = phi i32 [ 0, %entry ], [ %next, %loop ]
  %i64 = zext i32 %x to i64
  %a = getelementptr i32, ptr %p, i64 %i64
  store i32 1, ptr %a
  call void @f()
  %next = add i32 %turn, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
; Volatile and atomic accesses have an order that must not change.
; CHECK-LABEL: function with_volatile
; CHECK: ; 0 meeting points
define void @with_volatile(i32 %x, i32 %y, i32 %z, i32 %linear, i32 %lane, i32 %warp, ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %turn = phi i32 [ 0, %entry ], [ %next, %loop ]
  %i64 = zext i32 %x to i64
  %a = getelementptr i32, ptr %p, i64 %i64
  store volatile i32 1, ptr %a
  %next = add i32 %turn, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
; As many turns as each thread has read: threads do not stay together.
; CHECK-LABEL: function own_turns
; CHECK: ; 0 meeting points
define void @own_turns(i32 %x, i32 %y, i32 %z, i32 %linear, i32 %lane, i32 %warp, ptr %p, ptr %q) {
entry:
  %n = load i32, ptr %q
  br label %loop
loop:
  %turn = phi i32 [ 0, %entry ], [ %next, %loop ]
  %i64 = zext i32 %x to i64
  %a = getelementptr i32, ptr %p, i64 %i64
  store i32 1, ptr %a
  %next = add i32 %turn, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
declare void @f()
