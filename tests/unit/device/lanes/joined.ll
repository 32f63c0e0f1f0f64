; What the lanes of a warp do together: permutations, masks, reductions. The question whether there is a vector is answered
; where it is asked, with what the vector relies on. Where lanes may be apart at a meeting there is none, and the answer is no.
; RUN: %passes --only=vectoriseThreadLoops | %check

; CHECK-LABEL: define void @together(
; CHECK-NOT: hw_lanes_are_vector
; CHECK: br i1 true, label %thread.preheader, label %apart
; CHECK: %[[X:.+]] = load <32 x i32>, ptr
; CHECK: %[[B:.+]] = shufflevector <32 x i32> %[[X]], <32 x i32> poison, <32 x i32> <i32 16, i32 17,
; CHECK: call <16 x i32> @llvm.x86.avx512.vpermi2var.d.512(
; CHECK: call <16 x i32> @llvm.x86.avx512.vpermi2var.d.512(
; CHECK: %[[IN:.+]] = icmp ule <32 x i32>
; CHECK: zext <32 x i1> %[[IN]] to <32 x i32>
; CHECK: %[[HOLDS:.+]] = icmp ne <32 x i32>
; CHECK: bitcast <32 x i1> %[[HOLDS]] to i32
; CHECK: call i32 @llvm.vector.reduce.umax.v32i32(
; CHECK: extractelement <32 x i32>
define void @together(ptr %args, ptr %frame, ptr %x, ptr %y, i32 %n) #0 {
entry:
  %may = call i1 @hw_lanes_are_vector(i32 3)
  br i1 %may, label %thread, label %apart
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %thread ]
  %px = getelementptr inbounds i32, ptr %x, i64 %t
  %py = getelementptr inbounds i32, ptr %y, i64 %t
  %v = load i32, ptr %px
  %b = call i32 @hw_lanes_shuffle.i32(i32 3, i32 %v, i32 16, i32 32)
  %d = call i32 @hw_lanes_shuffle.i32(i32 2, i32 %b, i32 %v, i32 32)
  %in = call i32 @hw_lanes_in_range.i32(i32 2, i32 %v, i32 32)
  %e = add i32 %d, %in
  %vote = call i32 @hw_lanes_vote.i32(i32 3, i32 %e)
  %f = add i32 %e, %vote
  %most = call i32 @hw_lanes_reduce.i32(i32 4, i32 %f)
  %g = sub i32 %most, %f
  %first = call i32 @hw_lanes_shuffle.i32(i32 0, i32 %g, i32 %n, i32 32)
  %h = add i32 %first, %g
  store i32 %h, ptr %py
  %next = add nuw nsw i64 %t, 1
  %end = icmp eq i64 %next, 32
  br i1 %end, label %done, label %thread, !llvm.loop !0
apart:
  br label %done
done:
  ret void
}

; Lanes with the same number: each one's is compared with all, in a loop. Whether all have it is known at once.
; CHECK-LABEL: define void @matching(
; CHECK: br i1 true, label %thread.preheader, label %apart
; CHECK: %[[X:.+]] = load <32 x i32>, ptr
; CHECK: store <32 x i32> %[[X]], ptr %[[VALUES:.+]], align
; CHECK: match:
; CHECK: %[[ONE:.+]] = load i32, ptr
; CHECK: %[[SPLAT:.+]] = shufflevector <32 x i32>
; CHECK: %[[SAME:.+]] = icmp eq <32 x i32> %[[X]], %[[SPLAT]]
; CHECK: bitcast <32 x i1> %[[SAME]] to i32
; CHECK: br i1 %{{.+}}, label %match, label %matched
; CHECK: matched:
; CHECK: load <32 x i32>, ptr
; CHECK: %[[ALL:.+]] = call i1 @llvm.vector.reduce.and.v32i1(
; CHECK: sext i1 %[[ALL]] to i32
define void @matching(ptr %args, ptr %frame, ptr %x, ptr %y, i32 %n) #0 {
entry:
  %may = call i1 @hw_lanes_are_vector(i32 3)
  br i1 %may, label %thread, label %apart
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %thread ]
  %px = getelementptr inbounds i32, ptr %x, i64 %t
  %py = getelementptr inbounds i32, ptr %y, i64 %t
  %v = load i32, ptr %px
  %any = call i32 @hw_lanes_match_any.i32(i32 0, i32 %v)
  %all = call i32 @hw_lanes_match_all.i32(i32 0, i32 %v)
  %both = add i32 %any, %all
  store i32 %both, ptr %py
  %next = add nuw nsw i64 %t, 1
  %end = icmp eq i64 %next, 32
  br i1 %end, label %done, label %thread, !llvm.loop !0
apart:
  br label %done
done:
  ret void
}

; A narrow index that may wrap around.
; CHECK-LABEL: define void @narrow(
; CHECK: %[[WRONG:.+]] = icmp
; CHECK: %[[RIGHT:.+]] = xor i1 %{{.+}}, true
; CHECK: br i1 %[[RIGHT]], label %thread.preheader, label %apart
; CHECK: shufflevector <32 x i32>
define void @narrow(ptr %args, ptr %frame, ptr %x, ptr %y, i32 %n) #0 {
entry:
  %may = call i1 @hw_lanes_are_vector(i32 0)
  br i1 %may, label %thread, label %apart
thread:
  %t = phi i32 [ 0, %entry ], [ %next, %thread ]
  %i = add i32 %t, %n
  %wide = zext i32 %i to i64
  %px = getelementptr inbounds i32, ptr %x, i64 %wide
  %v = load i32, ptr %px
  %b = call i32 @hw_lanes_shuffle.i32(i32 3, i32 %v, i32 16, i32 32)
  store i32 %b, ptr %px
  %next = add nuw nsw i32 %t, 1
  %end = icmp eq i32 %next, 32
  br i1 %end, label %done, label %thread, !llvm.loop !3
apart:
  br label %done
done:
  ret void
}

; CHECK-LABEL: define void @parted(
; CHECK: br i1 false, label %thread.preheader, label %apart
; CHECK-NOT: <32 x i32>
; CHECK: ret void
define void @parted(ptr %args, ptr %frame, ptr %x, ptr %y, i32 %n) #0 {
entry:
  %may = call i1 @hw_lanes_are_vector(i32 5)
  br i1 %may, label %thread, label %apart
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %latch ]
  %px = getelementptr inbounds i32, ptr %x, i64 %t
  %v = load i32, ptr %px
  %some = icmp sgt i32 %v, 0
  br i1 %some, label %then, label %latch
then:
  %b = call i32 @hw_lanes_shuffle.i32(i32 3, i32 %v, i32 16, i32 32)
  store i32 %b, ptr %px
  br label %latch
latch:
  %next = add nuw nsw i64 %t, 1
  %end = icmp eq i64 %next, 32
  br i1 %end, label %done, label %thread, !llvm.loop !6
apart:
  br label %done
done:
  ret void
}

declare i1 @hw_lanes_are_vector(i32)
declare i32 @hw_lanes_shuffle.i32(i32, i32, i32, i32) #1
declare i32 @hw_lanes_in_range.i32(i32, i32, i32) #1
declare i32 @hw_lanes_vote.i32(i32, i32) #1
declare i32 @hw_lanes_match_any.i32(i32, i32) #1
declare i32 @hw_lanes_match_all.i32(i32, i32) #1
declare i32 @hw_lanes_reduce.i32(i32, i32) #1

attributes #0 = { "hostwarp-runs-block"="waits" "target-cpu"="x86-64-v4" }
attributes #1 = { convergent nounwind willreturn memory(none) }
!0 = distinct !{!0, !1, !2}
!1 = !{!"hostwarp.thread_loop"}
!2 = !{!"hostwarp.joined_loop", i32 3}
!3 = distinct !{!3, !1, !4}
!4 = !{!"hostwarp.joined_loop", i32 0}
!6 = distinct !{!6, !1, !7}
!7 = !{!"hostwarp.joined_loop", i32 5}
