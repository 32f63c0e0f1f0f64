; Members of a structure are read at once, too, where some lanes may not be there, if all are, and where the number of the
; element has 32 bits, if it does not wrap around.
; RUN: %passes --only=vectoriseThreadLoops | %check

; CHECK-LABEL: define void @masked(
; CHECK: call i1 @llvm.vector.reduce.and.v16i1
; CHECK: as_assumed:
; CHECK: load <32 x float>
; CHECK-NOT: masked.gather
; CHECK: otherwise:
; CHECK: call <16 x float> @llvm.masked.load.v16f32
; CHECK: rest:
define void @masked(ptr %flags, ptr %x, ptr %y, i64 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %pf = getelementptr inbounds i32, ptr %flags, i64 %i
  %flag = load i32, ptr %pf, align 4
  %is = icmp ne i32 %flag, 0
  br i1 %is, label %pair, label %latch
pair:
  %p0 = getelementptr inbounds { float, float }, ptr %x, i64 %i
  %p1 = getelementptr inbounds i8, ptr %p0, i64 4
  %v0 = load float, ptr %p0, align 8
  %v1 = load float, ptr %p1, align 4
  %sum = fadd float %v0, %v1
  %py = getelementptr inbounds float, ptr %y, i64 %i
  store float %sum, ptr %py, align 4
  br label %latch
latch:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}

; A loop in which each thread goes on by as many elements as there are threads.
; CHECK-LABEL: define void @strided(
; CHECK: as_assumed:
; CHECK: load <32 x float>
; CHECK-NOT: masked.gather
; CHECK: otherwise:
; CHECK: masked.gather
; CHECK: rest:
define void @strided(i32 %start, i32 %step, i32 %count, ptr %x, ptr %y, i64 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %low = trunc i64 %i to i32
  %first = add i32 %low, %start
  %is = icmp slt i32 %first, %count
  br i1 %is, label %loop, label %latch
loop:
  %number = phi i32 [ %first, %thread ], [ %later, %loop ]
  %wide = sext i32 %number to i64
  %p0 = getelementptr inbounds { float, float }, ptr %x, i64 %wide
  %p1 = getelementptr inbounds i8, ptr %p0, i64 4
  %v0 = load float, ptr %p0, align 8
  %v1 = load float, ptr %p1, align 4
  %sum = fadd float %v0, %v1
  %py = getelementptr inbounds float, ptr %y, i64 %wide
  store float %sum, ptr %py, align 4
  %later = add i32 %number, %step
  %again = icmp slt i32 %later, %count
  br i1 %again, label %loop, label %latch
latch:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}

attributes #0 = { "hostwarp-runs-block" "target-cpu"="x86-64-v4" }
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.thread_loop"}
