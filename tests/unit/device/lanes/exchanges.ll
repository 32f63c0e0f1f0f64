; Threads that read what others of their warp write between two waits go in step as a whole warp: all read before any
; writes, as on a GPU. Where each has an element of its own, or the arrays are different ones, vectors are as wide as a
; register.
; RUN: %passes --only=vectoriseThreadLoops | %check

; CHECK-LABEL: define void @neighbour(
; CHECK: load <32 x i32>
; CHECK: store <32 x i32>
; Threads that fill no warp do so, too: as many lanes as are left, from the first on.
; CHECK: %present = icmp ult <32 x i64> <i64 0, i64 1, i64 2,
; CHECK: call <32 x i32> @llvm.masked.load.v32i32{{.*}}<32 x i1> %present
; CHECK: call void @llvm.masked.store.v32i32{{.*}}<32 x i1> %present
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

; Butterflies.
; CHECK-LABEL: define void @other(
; CHECK: store <32 x i32>
define void @other(ptr %args, ptr noalias %frame, ptr %s, i64 %n) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %thread ]
  %own = getelementptr inbounds i32, ptr %s, i64 %t
  %partner = xor i64 %t, %n
  %other = getelementptr inbounds i32, ptr %s, i64 %partner
  %a = load i32, ptr %other
  %b = load i32, ptr %own
  %sum = add i32 %a, %b
  store i32 %sum, ptr %own
  %next = add nuw nsw i64 %t, 1
  %end = icmp eq i64 %next, 256
  br i1 %end, label %done, label %thread, !llvm.loop !0
done:
  ret void
}

; All read what one writes.
; CHECK-LABEL: define void @one(
; CHECK: call void @llvm.masked.scatter.v32i32
define void @one(ptr %args, ptr noalias %frame, ptr %s, ptr %out) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %last ]
  %first = and i64 %t, -32
  %shared = getelementptr inbounds i32, ptr %s, i64 %first
  %a = load i32, ptr %shared
  %lane = and i64 %t, 31
  %isThird = icmp eq i64 %lane, 3
  br i1 %isThird, label %third, label %last
third:
  store i32 7, ptr %shared
  br label %last
last:
  %own = getelementptr inbounds i32, ptr %out, i64 %t
  store i32 %a, ptr %own
  %next = add nuw nsw i64 %t, 1
  %end = icmp eq i64 %next, 256
  br i1 %end, label %done, label %thread, !llvm.loop !0
done:
  ret void
}

; What another lane of the warp writes in between is read behind that, not together with what was read before.
; CHECK-LABEL: define void @pairs(
; CHECK-COUNT-2: load <32 x i32>
; CHECK-COUNT-32: store i32
; CHECK-COUNT-2: load <32 x i32>
; CHECK: store <32 x i32>
; CHECK-COUNT-2: call <32 x i32> @llvm.masked.load.v32i32
; CHECK-COUNT-2: call void @llvm.masked.store.v32i32
; CHECK-COUNT-2: call <32 x i32> @llvm.masked.load.v32i32
; CHECK: call void @llvm.masked.store.v32i32{{.*}}<32 x i1> %present
define void @pairs(ptr %args, ptr noalias %frame, ptr %s, ptr %out) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %thread ]
  %first = getelementptr inbounds [2 x i32], ptr %s, i64 %t
  %second = getelementptr inbounds i8, ptr %first, i64 4
  %others = getelementptr inbounds i8, ptr %first, i64 12
  %a = load i32, ptr %first
  store i32 %a, ptr %others
  %b = load i32, ptr %second
  %own = getelementptr inbounds i32, ptr %out, i64 %t
  store i32 %b, ptr %own
  %next = add nuw nsw i64 %t, 1
  %end = icmp eq i64 %next, 256
  br i1 %end, label %done, label %thread, !llvm.loop !0
done:
  ret void
}

; CHECK-LABEL: define void @own(
; CHECK-NOT: <32 x i32>
; CHECK: ret void
define void @own(ptr %args, ptr noalias %frame, ptr %s, i64 %n) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %thread ]
  %row = mul i64 %t, %n
  %own = getelementptr inbounds i32, ptr %s, i64 %row
  %a = load i32, ptr %own
  %b = mul i32 %a, %a
  store i32 %b, ptr %own
  %far = getelementptr inbounds i32, ptr %frame, i64 %t
  store i32 %b, ptr %far
  %next = add nuw nsw i64 %t, 1
  %end = icmp eq i64 %next, 256
  br i1 %end, label %done, label %thread, !llvm.loop !0
done:
  ret void
}

; 32 elements further on is another warp's.
; CHECK-LABEL: define void @far(
; CHECK-NOT: <32 x i32>
; CHECK: ret void
define void @far(ptr %args, ptr noalias %frame, ptr %s, ptr %in) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %thread ]
  %own = getelementptr inbounds i32, ptr %s, i64 %t
  %other = getelementptr inbounds i32, ptr %own, i64 32
  %a = load i32, ptr %other
  %index = getelementptr inbounds i32, ptr %in, i64 %t
  %b = load i32, ptr %index
  %sum = add i32 %a, %b
  store i32 %sum, ptr %own
  %next = add nuw nsw i64 %t, 1
  %end = icmp eq i64 %next, 256
  br i1 %end, label %done, label %thread, !llvm.loop !0
done:
  ret void
}

; What the runtime counts in hw_thread is no exchange.
; CHECK-LABEL: define void @budget(
; CHECK-NOT: <32 x
; CHECK: {{^[}]$}}
@hw_current = external thread_local global ptr
declare ptr @llvm.threadlocal.address.p0(ptr)
define void @budget(ptr %args, ptr noalias %frame, ptr noalias %in, ptr noalias %out) #0 {
entry:
  %place = call ptr @llvm.threadlocal.address.p0(ptr @hw_current)
  %self = load ptr, ptr %place, align 8, !invariant.load !2
  %budget = getelementptr inbounds i8, ptr %self, i64 60
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %thread ]
  %left = load i32, ptr %budget
  %less = add i32 %left, -1
  store i32 %less, ptr %budget
  %from = getelementptr inbounds i32, ptr %in, i64 %t
  %a = load i32, ptr %from
  %to = getelementptr inbounds i32, ptr %out, i64 %t
  store i32 %a, ptr %to
  %next = add nuw nsw i64 %t, 1
  %end = icmp eq i64 %next, 256
  br i1 %end, label %done, label %thread, !llvm.loop !0
done:
  ret void
}

attributes #0 = { "hostwarp-runs-block" "target-cpu"="x86-64-v3" }
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.thread_loop"}
!2 = !{}
