; In functions that are optimised for size, threads that go in step have one loop for full warps and for those that are not.
; RUN: %passes --only=vectoriseThreadLoops | %check

; CHECK-LABEL: define void @neighbour(
; CHECK-NOT: load <32 x i32>
; CHECK: icmp ult <32 x i64>
; CHECK: call <32 x i32> @llvm.masked.load.v32i32
; CHECK-NOT: load <32 x i32>
; CHECK: call void @llvm.masked.store.v32i32
; CHECK-NOT: load <32 x i32>
; CHECK: {{^}}}
define void @neighbour(ptr %args, ptr noalias %frame, ptr %s, i32 %n) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %thread ]
  %own = getelementptr inbounds i32, ptr %s, i64 %t
  %other = getelementptr inbounds i32, ptr %own, i64 1
  %a = load i32, ptr %other
  store i32 %a, ptr %own
  %next = add nuw nsw i64 %t, 1
  %end = icmp eq i64 %next, 256
  br i1 %end, label %done, label %thread, !llvm.loop !0
done:
  ret void
}
attributes #0 = { optsize "hostwarp-runs-block" "target-cpu"="x86-64-v3" }
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.thread_loop"}
