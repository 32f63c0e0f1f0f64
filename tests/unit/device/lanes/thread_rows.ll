; Threads that read and write in rows of their own, which are as far apart as they are long at least, need not go in step
; as a warp. Where a row reaches into the next one, or how long it is cannot be told, they do.
; RUN: %passes --only=vectoriseThreadLoops | %check

; a[t * n + i] += a[t * n + i - 1], for i from 1 up to n
; CHECK-LABEL: define void @sums(
; CHECK-NOT: <32 x
; CHECK: {{^[}]$}}
define void @sums(ptr %a, i32 %n, i64 %threads) #0 {
entry:
  %turns = zext i32 %n to i64
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %left ]
  %t = trunc i64 %i to i32
  %row = mul nsw i32 %t, %n
  %first = sext i32 %row to i64
  %begin = getelementptr inbounds float, ptr %a, i64 %first
  br label %turn
turn:
  %j = phi i64 [ 1, %thread ], [ %j.next, %turn ]
  %at = getelementptr inbounds float, ptr %begin, i64 %j
  %before = getelementptr inbounds i8, ptr %at, i64 -4
  %v = load float, ptr %before, align 4
  %w = load float, ptr %at, align 4
  %sum = fadd float %v, %w
  store float %sum, ptr %at, align 4
  %j.next = add nuw nsw i64 %j, 1
  %ends = icmp eq i64 %j.next, %turns
  br i1 %ends, label %left, label %turn
left:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %threads
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}

; a[t * n + i] += a[t * n + i + 1], for i from 0 up to n: the last one is the next row's.
; CHECK-LABEL: define void @reaches(
; CHECK: <32 x
define void @reaches(ptr %a, i32 %n, i64 %threads) #0 {
entry:
  %turns = zext i32 %n to i64
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %left ]
  %t = trunc i64 %i to i32
  %row = mul nsw i32 %t, %n
  %first = sext i32 %row to i64
  %begin = getelementptr inbounds float, ptr %a, i64 %first
  br label %turn
turn:
  %j = phi i64 [ 0, %thread ], [ %j.next, %turn ]
  %at = getelementptr inbounds float, ptr %begin, i64 %j
  %behind = getelementptr inbounds i8, ptr %at, i64 4
  %v = load float, ptr %behind, align 4
  %w = load float, ptr %at, align 4
  %sum = fadd float %v, %w
  store float %sum, ptr %at, align 4
  %j.next = add nuw nsw i64 %j, 1
  %ends = icmp eq i64 %j.next, %turns
  br i1 %ends, label %left, label %turn
left:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %threads
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}

; Rows as far apart as one number says, and as long as another: they may overlap.
; CHECK-LABEL: define void @unknown(
; CHECK: <32 x
define void @unknown(ptr %a, i64 %n, i64 %m, i64 %threads) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %left ]
  %first = mul nuw nsw i64 %i, %n
  %begin = getelementptr inbounds float, ptr %a, i64 %first
  br label %turn
turn:
  %j = phi i64 [ 1, %thread ], [ %j.next, %turn ]
  %at = getelementptr inbounds float, ptr %begin, i64 %j
  %before = getelementptr inbounds i8, ptr %at, i64 -4
  %v = load float, ptr %before, align 4
  %w = load float, ptr %at, align 4
  %sum = fadd float %v, %w
  store float %sum, ptr %at, align 4
  %j.next = add nuw nsw i64 %j, 1
  %ends = icmp eq i64 %j.next, %m
  br i1 %ends, label %left, label %turn
left:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %threads
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}

; Rows of 64 from their ends to their beginnings: a[t * 64 + i] += a[t * 64 + i + 1], for i from 62 down to 0.
; CHECK-LABEL: define void @backwards(
; CHECK-NOT: <32 x
; CHECK: {{^[}]$}}
define void @backwards(ptr %a, i64 %threads) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %left ]
  %first = shl nuw nsw i64 %i, 6
  %begin = getelementptr inbounds float, ptr %a, i64 %first
  br label %turn
turn:
  %j = phi i64 [ 62, %thread ], [ %j.next, %turn ]
  %at = getelementptr inbounds float, ptr %begin, i64 %j
  %behind = getelementptr inbounds i8, ptr %at, i64 4
  %v = load float, ptr %behind, align 4
  %w = load float, ptr %at, align 4
  %sum = fadd float %v, %w
  store float %sum, ptr %at, align 4
  %j.next = add nsw i64 %j, -1
  %ends = icmp eq i64 %j, 0
  br i1 %ends, label %left, label %turn
left:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %threads
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}

; Rows of 128, and a loop of an unsigned char that goes on to any number of 8 bits: they may overlap.
; CHECK-LABEL: define void @narrow(
; CHECK: <32 x
define void @narrow(ptr %a, i8 %m, i64 %threads) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %left ]
  %first = shl nuw nsw i64 %i, 7
  %begin = getelementptr inbounds float, ptr %a, i64 %first
  br label %turn
turn:
  %k = phi i8 [ 1, %thread ], [ %k.next, %turn ]
  %j = zext i8 %k to i64
  %at = getelementptr inbounds float, ptr %begin, i64 %j
  %v = load float, ptr %at, align 4
  %w = load float, ptr %begin, align 4
  %sum = fadd float %v, %w
  store float %sum, ptr %at, align 4
  %k.next = add i8 %k, 1
  %ends = icmp eq i8 %k.next, %m
  br i1 %ends, label %left, label %turn
left:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %threads
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}

attributes #0 = { "hostwarp-runs-block" "target-cpu"="x86-64-v4" }
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.thread_loop"}
