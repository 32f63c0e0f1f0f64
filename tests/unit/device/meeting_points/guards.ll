; The guard `if (i < n) ... else return` lets all threads of most blocks pass, who meet behind it if there is a loop; a guard
; by what each has read is none.
; RUN: %passes --analysis=meeting-points | %check
; CHECK-LABEL: function guard
; CHECK: call void @hw_meeting_point()
; CHECK: ; 1 meeting points
define void @guard(i32 %x, i32 %y, i32 %z, i32 %linear, i32 %lane, i32 %warp, ptr %p, i32 %n, i32 %base) {
entry:
  %i = add i32 %base, %x
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %end
body:
  %k = phi i32 [ 0, %entry ], [ %k.next, %body ]
  %q = getelementptr i32, ptr %p, i32 %k
  %v = load i32, ptr %q
  %k.next = add i32 %k, %v
  %more = icmp ult i32 %k.next, %n
  br i1 %more, label %body, label %end.body
end.body:
  store i32 1, ptr %p
  br label %end
end:
  ret void
}
; CHECK-LABEL: function without_loop
; CHECK: ; 0 meeting points
define void @without_loop(i32 %x, i32 %y, i32 %z, i32 %linear, i32 %lane, i32 %warp, ptr %p, i32 %n, i32 %base) {
entry:
  %i = add i32 %base, %x
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %end
body:
  store i32 1, ptr %p
  br label %end
end:
  ret void
}
; CHECK-LABEL: function by_what_was_read
; CHECK: ; 0 meeting points
define void @by_what_was_read(i32 %x, i32 %y, i32 %z, i32 %linear, i32 %lane, i32 %warp, ptr %p, i32 %n) {
entry:
  %v = load i32, ptr %p
  %c = icmp ult i32 %v, %n
  br i1 %c, label %body, label %end
body:
  %k = phi i32 [ 0, %entry ], [ %k.next, %body ]
  %k.next = add i32 %k, 1
  %more = icmp ult i32 %k.next, 9
  br i1 %more, label %body, label %end.body
end.body:
  store i32 1, ptr %p
  br label %end
end:
  ret void
}
; A single thread's work is none for a vector.
; CHECK-LABEL: function first_thread
; CHECK: ; 0 meeting points
define void @first_thread(i32 %x, i32 %y, i32 %z, i32 %linear, i32 %lane, i32 %warp, ptr %p) {
entry:
  %c = icmp eq i32 %x, 0
  br i1 %c, label %body, label %end
body:
  %k = phi i32 [ 0, %entry ], [ %k.next, %body ]
  %k.next = add i32 %k, 1
  %more = icmp ult i32 %k.next, 9
  br i1 %more, label %body, label %end.body
end.body:
  store i32 1, ptr %p
  br label %end
end:
  ret void
}
