; An address that is the same in all turns and is computed in the loop, since a division stands in its way: LLVM would divide for
; the vector's first turn alone. One that is computed outside stays.
; RUN: %passes --only=keepAccessOrder | %check

; CHECK-LABEL: define void @k(
; CHECK: %[[HIDDEN:.+]] = freeze ptr %common
; CHECK: load i32, ptr %[[HIDDEN]]
; CHECK: load i32, ptr %outside
define void @k(ptr %p, ptr noalias %out, i64 %d, i64 %n) {
entry:
  %outside = getelementptr inbounds i32, ptr %p, i64 5
  br label %turn
turn:
  %i = phi i64 [ 0, %entry ], [ %next, %end.turn ]
  %pi = getelementptr inbounds i32, ptr %p, i64 %i
  %v = load i32, ptr %pi
  %c = icmp eq i32 %v, 0
  br i1 %c, label %end.turn, label %divides
divides:
  %q = udiv i64 33, %d
  %common = getelementptr inbounds i32, ptr %p, i64 %q
  %w = load i32, ptr %common
  %x = load i32, ptr %outside
  %sum = add i32 %w, %x
  br label %end.turn
end.turn:
  %r = phi i32 [ 1, %turn ], [ %sum, %divides ]
  %po = getelementptr inbounds i32, ptr %out, i64 %i
  store i32 %r, ptr %po
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %turn, label %end
end:
  ret void
}
