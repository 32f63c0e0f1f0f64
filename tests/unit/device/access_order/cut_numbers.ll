; An address by a multiple of the turn's number in 16 bits, which may wrap around: LLVM 19 has no check of that where it begins
; at 0. Others it looks at itself.
; RUN: %passes --only=keepAccessOrder | %check

; CHECK-LABEL: define void @k(
; CHECK: %[[HIDDEN:.+]] = freeze ptr %thrice
; CHECK: load i32, ptr %[[HIDDEN]]
; CHECK: load i32, ptr %once
; CHECK: load i32, ptr %later
define void @k(ptr %p, ptr noalias %out, i16 %first, i64 %n) {
entry:
  br label %turn
turn:
  %i = phi i64 [ 0, %entry ], [ %next, %turn ]
  %low = trunc i64 %i to i16
  %multiple = mul i16 %low, 3
  %cut = zext i16 %multiple to i64
  %thrice = getelementptr i32, ptr %p, i64 %cut
  %v = load i32, ptr %thrice
  %number = zext i16 %low to i64
  %once = getelementptr i32, ptr %p, i64 %number
  %w = load i32, ptr %once
  %moved = add i16 %multiple, %first
  %place = zext i16 %moved to i64
  %later = getelementptr i32, ptr %p, i64 %place
  %x = load i32, ptr %later
  %two = add i32 %v, %w
  %sum = add i32 %two, %x
  %po = getelementptr inbounds i32, ptr %out, i64 %i
  store i32 %sum, ptr %po
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %turn, label %end
end:
  ret void
}
