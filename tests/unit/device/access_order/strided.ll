; In a loop over threads, an access with a stride may not become part of a wide one where it would overtake what it meets
; in memory: its address is hidden. What meets nothing, has no stride or stands in another loop keeps its own.
; RUN: %passes --only=keepAccessOrder | %check

; The second load must come behind the store.
; CHECK-LABEL: define void @overtakes(
; CHECK: %first = load i32, ptr %p0
; CHECK: store i32 %sum, ptr %at
; CHECK: %[[HIDDEN:.+]] = freeze ptr %p1
; CHECK: %second = load i32, ptr %[[HIDDEN]]
define void @overtakes(ptr %p, ptr %out, i64 %d, i64 %n) "hostwarp-runs-block" {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %i2 = shl nuw nsw i64 %i, 1
  %i21 = or disjoint i64 %i2, 1
  %p0 = getelementptr inbounds i32, ptr %p, i64 %i2
  %p1 = getelementptr inbounds i32, ptr %p, i64 %i21
  %first = load i32, ptr %p0, !llvm.access.group !2
  %sum = add i32 %first, 7
  %to = add i64 %i2, %d
  %at = getelementptr inbounds i32, ptr %p, i64 %to
  store i32 %sum, ptr %at, !llvm.access.group !2
  %second = load i32, ptr %p1, !llvm.access.group !2
  %o = getelementptr inbounds i32, ptr %out, i64 %i
  store i32 %second, ptr %o, !llvm.access.group !2
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}
; The first store must not come behind the load: as a part of a wide one with the second it would.
; CHECK-LABEL: define void @store_stays(
; CHECK: %[[STORED:.+]] = freeze ptr %p0
; CHECK: store i32 %v, ptr %[[STORED]]
; CHECK: %read = load i32, ptr %at
; CHECK: store i32 %v, ptr %p1
define void @store_stays(ptr %p, ptr noalias %out, i32 %v, i64 %d, i64 %n) "hostwarp-runs-block" {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %i2 = shl nuw nsw i64 %i, 1
  %i21 = or disjoint i64 %i2, 1
  %p0 = getelementptr inbounds i32, ptr %p, i64 %i2
  %p1 = getelementptr inbounds i32, ptr %p, i64 %i21
  store i32 %v, ptr %p0, !llvm.access.group !8
  %to = add i64 %i2, %d
  %at = getelementptr inbounds i32, ptr %p, i64 %to
  %read = load i32, ptr %at, !llvm.access.group !8
  store i32 %v, ptr %p1, !llvm.access.group !8
  %o = getelementptr inbounds i32, ptr %out, i64 %i
  store i32 %read, ptr %o, !llvm.access.group !8
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !6
end:
  ret void
}
; The same where each thread's places lie before those of the thread before.
; CHECK-LABEL: define void @downwards(
; CHECK: %first = load i32, ptr %p0
; CHECK: store i32 %sum, ptr %at
; CHECK: %[[BEHIND:.+]] = freeze ptr %p1
; CHECK: %second = load i32, ptr %[[BEHIND]]
define void @downwards(ptr %p, ptr noalias %out, i64 %d, i64 %n) "hostwarp-runs-block" {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %i2 = mul nsw i64 %i, -2
  %i21 = add nsw i64 %i2, 1
  %p0 = getelementptr inbounds i32, ptr %p, i64 %i2
  %p1 = getelementptr inbounds i32, ptr %p, i64 %i21
  %first = load i32, ptr %p0, !llvm.access.group !11
  %sum = add i32 %first, 7
  %to = add i64 %i2, %d
  %at = getelementptr inbounds i32, ptr %p, i64 %to
  store i32 %sum, ptr %at, !llvm.access.group !11
  %second = load i32, ptr %p1, !llvm.access.group !11
  %o = getelementptr inbounds i32, ptr %out, i64 %i
  store i32 %second, ptr %o, !llvm.access.group !11
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !9
end:
  ret void
}
; Types say nothing: programs read as integers what they have written as floating point.
; CHECK-LABEL: define void @of_other_types(
; CHECK: %first = load i32, ptr %p0
; CHECK: store float %sum, ptr %at
; CHECK: %[[BITS:.+]] = freeze ptr %p1
; CHECK: %second = load i32, ptr %[[BITS]]
define void @of_other_types(ptr %p, ptr noalias %out, i64 %d, i64 %n) "hostwarp-runs-block" {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %i2 = shl nuw nsw i64 %i, 1
  %i21 = or disjoint i64 %i2, 1
  %p0 = getelementptr inbounds i32, ptr %p, i64 %i2
  %p1 = getelementptr inbounds i32, ptr %p, i64 %i21
  %first = load i32, ptr %p0, !llvm.access.group !14, !tbaa !17
  %sum = sitofp i32 %first to float
  %to = add i64 %i2, %d
  %at = getelementptr inbounds i32, ptr %p, i64 %to
  store float %sum, ptr %at, !llvm.access.group !14, !tbaa !18
  %second = load i32, ptr %p1, !llvm.access.group !14, !tbaa !17
  %o = getelementptr inbounds i32, ptr %out, i64 %i
  store i32 %second, ptr %o, !llvm.access.group !14, !tbaa !17
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !12
end:
  ret void
}
; CHECK-LABEL: define void @only_reads(
; CHECK-NOT: freeze
; CHECK: ret void
define void @only_reads(ptr %p, ptr noalias %out, i64 %n) "hostwarp-runs-block" {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %i2 = shl nuw nsw i64 %i, 1
  %i21 = or disjoint i64 %i2, 1
  %p0 = getelementptr inbounds i32, ptr %p, i64 %i2
  %p1 = getelementptr inbounds i32, ptr %p, i64 %i21
  %first = load i32, ptr %p0, !llvm.access.group !5
  %second = load i32, ptr %p1, !llvm.access.group !5
  %sum = add i32 %first, %second
  %o = getelementptr inbounds i32, ptr %out, i64 %i
  store i32 %sum, ptr %o, !llvm.access.group !5
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !3
end:
  ret void
}
; A loop of the user's: LLVM finds out by itself what its turns have to do with each other.
; CHECK-LABEL: define void @no_block(
; CHECK-NOT: freeze
; CHECK: ret void
define void @no_block(ptr %p, i64 %d, i64 %n) {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %i2 = shl nuw nsw i64 %i, 1
  %i21 = or disjoint i64 %i2, 1
  %p0 = getelementptr inbounds i32, ptr %p, i64 %i2
  %p1 = getelementptr inbounds i32, ptr %p, i64 %i21
  %first = load i32, ptr %p0
  store i32 %first, ptr %p1
  %second = load i32, ptr %p1
  store i32 %second, ptr %p0
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end
end:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.parallel_accesses", !2}
!2 = distinct !{}
!3 = distinct !{!3, !4}
!4 = !{!"llvm.loop.parallel_accesses", !5}
!5 = distinct !{}
!6 = distinct !{!6, !7}
!7 = !{!"llvm.loop.parallel_accesses", !8}
!8 = distinct !{}
!9 = distinct !{!9, !10}
!10 = !{!"llvm.loop.parallel_accesses", !11}
!11 = distinct !{}
!12 = distinct !{!12, !13}
!13 = !{!"llvm.loop.parallel_accesses", !14}
!14 = distinct !{}
!15 = !{!"types"}
!16 = !{!"any", !15}
!17 = !{!19, !19, i64 0}
!18 = !{!20, !20, i64 0}
!19 = !{!"int", !16}
!20 = !{!"float", !16}
