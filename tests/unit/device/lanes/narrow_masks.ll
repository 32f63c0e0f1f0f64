; Before AVX-512 there are no masked accesses of bytes and words. Where lanes are masked, what is side by side is read at once if
; it lies in one page, since one of the lanes reads there; it is written at once if all lanes are there, else in a turn for each
; that is. Other sizes have masks, and so has AVX-512. Threads that access bytes only are twice as many lanes where a row is known to have them.
; RUN: %passes --only=vectoriseThreadLoops | %check

; CHECK-LABEL: define void @bytes(
; CHECK: and i64 %{{.+}}, 4095
; CHECK: %[[FITS:.+]] = icmp ule i64 %{{.+}}, 4080
; CHECK: br i1 %[[FITS]], label %[[PAGE:.+]], label
; CHECK: [[PAGE]]:
; CHECK-NEXT: load <16 x i8>, ptr %{{.+}}, align 1
; CHECK: call <16 x i8> @llvm.masked.load.v16i8.p0(
; CHECK: %[[ALL:.+]] = call i1 @llvm.vector.reduce.and.v16i1(
; CHECK: br i1 %[[ALL]], label %[[STORE:.+]], label
; CHECK: [[STORE]]:
; CHECK-NEXT: store <16 x i8> %{{.+}}, ptr %{{.+}}, align 1
; CHECK-NOT: llvm.masked.store
; CHECK: %[[LEFT:.+]] = phi i16
; CHECK: call i16 @llvm.cttz.i16(i16 %[[LEFT]], i1 true)
; CHECK-NOT: llvm.masked.store
; CHECK: ret void
define void @bytes(ptr %args, ptr %frame, ptr %in, ptr %out, i64 %n) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %latch ]
  %few = icmp ult i64 %t, %n
  br i1 %few, label %do, label %latch
do:
  %p = getelementptr i8, ptr %in, i64 %t
  %v = load i8, ptr %p
  %q = getelementptr i8, ptr %p, i64 1
  %u = load i8, ptr %q
  %isLess = icmp ult i8 %v, %u
  %least = select i1 %isLess, i8 %v, i8 %u
  %low = mul i8 %least, %least
  %to = getelementptr i8, ptr %out, i64 %t
  store i8 %low, ptr %to
  br label %latch
latch:
  %next = add nuw nsw i64 %t, 1
  %end = icmp eq i64 %next, 32
  br i1 %end, label %done, label %thread, !llvm.loop !0
done:
  ret void
}

; CHECK-LABEL: define void @wide(
; CHECK-NOT: 4095
; CHECK: ret void
define void @wide(ptr %args, ptr %frame, ptr %in, ptr %out, i64 %n) #1 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %latch ]
  %few = icmp ult i64 %t, %n
  br i1 %few, label %do, label %latch
do:
  %p = getelementptr i8, ptr %in, i64 %t
  %v = load i8, ptr %p
  %low = mul i8 %v, %v
  %to = getelementptr i8, ptr %out, i64 %t
  store i8 %low, ptr %to
  br label %latch
latch:
  %next = add nuw nsw i64 %t, 1
  %end = icmp eq i64 %next, 32
  br i1 %end, label %done, label %thread, !llvm.loop !0
done:
  ret void
}

; CHECK-LABEL: define void @floats(
; CHECK-NOT: 4095
; CHECK: call <8 x float> @llvm.masked.load.v8f32.p0(
; CHECK: ret void
define void @floats(ptr %args, ptr %frame, ptr %in, ptr %out, i64 %n) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %latch ]
  %few = icmp ult i64 %t, %n
  br i1 %few, label %do, label %latch
do:
  %p = getelementptr float, ptr %in, i64 %t
  %v = load float, ptr %p
  %low = fdiv float 1.0, %v
  %to = getelementptr float, ptr %out, i64 %t
  store float %low, ptr %to
  br label %latch
latch:
  %next = add nuw nsw i64 %t, 1
  %end = icmp eq i64 %next, 32
  br i1 %end, label %done, label %thread, !llvm.loop !0
done:
  ret void
}

attributes #0 = { "hostwarp-runs-block" "target-cpu"="x86-64-v3" }
attributes #1 = { "hostwarp-runs-block" "target-cpu"="x86-64-v4" }
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.thread_loop"}
