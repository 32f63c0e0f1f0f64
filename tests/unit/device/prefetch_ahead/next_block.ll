; What a block reads in one place, the next block reads 1024 bytes further on: what the eighth from here reads is asked for,
; by line of the cache. In shared memory, and where no block's number has to do with it, the next block reads the same.
; RUN: %passes --only=prefetchAhead | %check
@hw_current = external thread_local global ptr

; CHECK-LABEL: define void @k(
; CHECK: vector:
; CHECK: %[[AHEAD:.+]] = getelementptr i8, ptr %px, i64 8192
; CHECK-NEXT: call void @llvm.prefetch.p0(ptr %[[AHEAD]], i32 0, i32 2, i32 1)
; CHECK-NEXT: load <8 x float>, ptr %px
; CHECK-NEXT: getelementptr
; CHECK-NEXT: load <8 x float>
; CHECK-NOT: call void @llvm.prefetch
; CHECK: ret void
define void @k(ptr %x, ptr %y, ptr %same) #0 {
entry:
  %self = load ptr, ptr @hw_current
  %place = getelementptr i8, ptr %self, i64 16
  %block = load i32, ptr %place
  %place.shared = getelementptr i8, ptr %self, i64 64
  %shared = load ptr, ptr %place.shared
  %first = shl i32 %block, 8
  br label %vector
vector:
  %i = phi i32 [ 0, %entry ], [ %next, %vector ]
  %at = add i32 %first, %i
  %wide = sext i32 %at to i64
  %px = getelementptr float, ptr %x, i64 %wide
  %v = load <8 x float>, ptr %px, align 4
  %px.near = getelementptr i8, ptr %px, i64 32
  %w = load <8 x float>, ptr %px.near, align 4
  %wide.i = sext i32 %i to i64
  %ps = getelementptr float, ptr %shared, i64 %wide.i
  %u = load <8 x float>, ptr %ps, align 4
  %pc = getelementptr float, ptr %same, i64 %wide.i
  %c = load <8 x float>, ptr %pc, align 4
  %a = fadd <8 x float> %v, %w
  %b = fadd <8 x float> %u, %c
  %s = fadd <8 x float> %a, %b
  %py = getelementptr float, ptr %y, i64 %wide
  store <8 x float> %s, ptr %py, align 4
  %next = add i32 %i, 16
  %more = icmp ult i32 %next, 256
  br i1 %more, label %vector, label %end
end:
  ret void
}

; Rows of 16 threads lie far apart, and the processor follows none of them: the eighth block from here, which reads 64 bytes
; of each row as this one does, is asked for.
; CHECK-LABEL: define void @rows(
; CHECK: %[[AHEAD:.+]] = getelementptr i8, ptr %px, i64 512
; CHECK: call void @llvm.prefetch.p0(ptr %[[AHEAD]]
; CHECK: ret void
define void @rows(ptr %x, ptr %y, i64 %width) #1 {
entry:
  %self = load ptr, ptr @hw_current
  %place = getelementptr i8, ptr %self, i64 16
  %block = load i32, ptr %place
  %first = zext i32 %block to i64
  %offset = shl i64 %first, 6
  br label %row
row:
  %r = phi i64 [ 0, %entry ], [ %next, %row ]
  %line = mul i64 %r, %width
  %at = add i64 %line, %offset
  %px = getelementptr i8, ptr %x, i64 %at
  %v = load <16 x float>, ptr %px, align 4
  %py = getelementptr i8, ptr %y, i64 %at
  store <16 x float> %v, ptr %py, align 4
  %next = add i64 %r, 1
  %more = icmp ult i64 %next, 16
  br i1 %more, label %row, label %end, !llvm.loop !0
end:
  ret void
}

; Blocks whose threads never wait read in one go, and the processor knows what follows.
; CHECK-LABEL: define void @without_waits(
; CHECK-NOT: call void @llvm.prefetch
define void @without_waits(ptr %x, ptr %y) #1 {
entry:
  %self = load ptr, ptr @hw_current
  %place = getelementptr i8, ptr %self, i64 16
  %block = load i32, ptr %place
  %first = zext i32 %block to i64
  %offset = shl i64 %first, 8
  br label %vector
vector:
  %i = phi i64 [ 0, %entry ], [ %next, %vector ]
  %at = add i64 %offset, %i
  %px = getelementptr float, ptr %x, i64 %at
  %v = load <8 x float>, ptr %px, align 4
  %py = getelementptr float, ptr %y, i64 %at
  store <8 x float> %v, ptr %py, align 4
  %next = add i64 %i, 8
  %more = icmp ult i64 %next, 256
  br i1 %more, label %vector, label %end
end:
  ret void
}
attributes #0 = { "hostwarp-runs-block"="waits" }
attributes #1 = { "hostwarp-runs-block" }
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.row_loop"}
