; Where a warp may be several rows of its block, elements that are not side by side for all lanes may be so for eight at a time:
; that is looked at before they are looked up one by one. Lanes that are not there have no part in it. Bytes are left alone.
; RUN: %passes --only=vectoriseThreadLoops | %check

; CHECK-LABEL: define void @rows(
; CHECK: side_by_side:
; CHECK: load <32 x i32>
; CHECK: %[[FIRSTS:.+]] = shufflevector <32 x i32> %[[STARTS:.+]], <32 x i32> poison, <32 x i32> <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 8,
; CHECK: icmp eq <32 x i32> %[[STARTS]], %[[FIRSTS]]
; CHECK: rows:
; CHECK-COUNT-4: load <8 x i32>, ptr %{{.+}}, align 4
; CHECK: call <32 x i32> @llvm.masked.gather.v32i32.v32p0(
; CHECK: freeze <32 x i32>
; CHECK: rows{{[0-9]*}}:
; CHECK-COUNT-4: call void @llvm.masked.store.v8i32.p0(
; CHECK: call void @llvm.masked.scatter.v32i32.v32p0(
define void @rows(ptr %args, ptr %frame, ptr %x, i32 %w, i32 %bits, i32 %n, i32 %pitch) #0 {
entry:
  %may = call i1 @hw_lanes_are_vector(i32 0)
  br i1 %may, label %thread, label %apart
thread:
  %t = phi i32 [ 0, %entry ], [ %next, %latch ]
  %column = and i32 %t, %w
  %row = lshr i32 %t, %bits
  %line = mul i32 %row, %pitch
  %i = add nsw i32 %line, %column
  %i.wide = sext i32 %i to i64
  %px = getelementptr i32, ptr %x, i64 %i.wide
  %v = load i32, ptr %px
  %b = call i32 @hw_lanes_shuffle.i32(i32 3, i32 %v, i32 16, i32 32)
  %few = icmp slt i32 %column, %n
  br i1 %few, label %put, label %latch
put:
  store i32 %b, ptr %px
  br label %latch
latch:
  %next = add nuw nsw i32 %t, 1
  %end = icmp eq i32 %next, 32
  br i1 %end, label %done, label %thread, !llvm.loop !0
apart:
  br label %done
done:
  ret void
}

; CHECK-LABEL: define void @bytes(
; CHECK-NOT: <8 x i8>
; CHECK: ret void
define void @bytes(ptr %args, ptr %frame, ptr %x, i32 %w, i32 %bits, i32 %pitch) #0 {
entry:
  %may = call i1 @hw_lanes_are_vector(i32 0)
  br i1 %may, label %thread, label %apart
thread:
  %t = phi i32 [ 0, %entry ], [ %next, %thread ]
  %column = and i32 %t, %w
  %row = lshr i32 %t, %bits
  %line = mul i32 %row, %pitch
  %i = add nsw i32 %line, %column
  %i.wide = sext i32 %i to i64
  %px = getelementptr i8, ptr %x, i64 %i.wide
  %v = load i8, ptr %px
  %more = add i8 %v, 1
  store i8 %more, ptr %px
  %next = add nuw nsw i32 %t, 1
  %end = icmp eq i32 %next, 32
  br i1 %end, label %done, label %thread, !llvm.loop !0
apart:
  br label %done
done:
  ret void
}

declare i1 @hw_lanes_are_vector(i32)
declare i32 @hw_lanes_shuffle.i32(i32, i32, i32, i32) #1

attributes #0 = { "hostwarp-runs-block"="waits" "target-cpu"="x86-64-v3" }
attributes #1 = { convergent nounwind willreturn memory(none) }
!0 = distinct !{!0, !1, !2, !3}
!1 = !{!"hostwarp.thread_loop"}
!2 = !{!"hostwarp.joined_loop", i32 0}
!3 = !{!"hostwarp.short_rows"}
