; What lies anywhere is stored at once where all lanes are there, or the instruction set has masks for it. Before AVX-512 it has none,
; nor for reading bytes: then each lane that is there takes a turn. All such places share the memory in which lanes are looked up.
; RUN: %passes --only=vectoriseThreadLoops | %check

; CHECK-LABEL: define void @avx2(
; CHECK: alloca <8 x i8>
; CHECK-NEXT: alloca <8 x i32>
; CHECK-NOT: alloca
; CHECK: %[[IS:.+]] = call i1 @llvm.vector.reduce.and.v8i1(
; CHECK: br i1 %[[IS]], label %[[ALL:.+]], label
; CHECK: [[ALL]]:
; CHECK-NEXT: call <8 x i8> @llvm.masked.gather.v8i8.v8p0(<8 x ptr> %{{.+}}, i32 1, <8 x i1> <i1 true,
; CHECK: %[[LEFT:.+]] = phi i8
; CHECK: call i8 @llvm.cttz.i8(i8 %[[LEFT]], i1 true)
; CHECK: load i8, ptr %
; CHECK: call void @llvm.masked.scatter.v8i8.v8p0(<8 x i8> %{{.+}}, <8 x ptr> %{{.+}}, i32 1, <8 x i1> <i1 true,
; CHECK-NOT: call void @llvm.masked.scatter
; CHECK: store i8 %{{.+}}, ptr %
; CHECK: ret void
define void @avx2(ptr %args, ptr %frame, ptr %at, ptr %in, ptr %out, i64 %n) #0 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %latch ]
  %few = icmp ult i64 %t, %n
  br i1 %few, label %do, label %latch
do:
  %a = getelementptr i32, ptr %at, i64 %t
  %i = load i32, ptr %a
  %j = sext i32 %i to i64
  %p = getelementptr i8, ptr %in, i64 %j
  %v = load i8, ptr %p
  %x = mul i32 %i, %i
  %y = xor i32 %x, 77
  %z = mul i32 %y, %i
  %w = add i32 %z, 3
  %m = mul i32 %w, %x
  %s = trunc i32 %m to i8
  %u = add i8 %v, %s
  %to = getelementptr i8, ptr %out, i64 %j
  store i8 %u, ptr %to
  br label %latch
latch:
  %next = add nuw nsw i64 %t, 1
  %end = icmp eq i64 %next, 32
  br i1 %end, label %done, label %thread, !llvm.loop !0
done:
  ret void
}

; CHECK-LABEL: define void @avx512(
; CHECK-NOT: cttz
; CHECK: call void @llvm.masked.scatter.v16i32.v16p0(<16 x i32> %{{.+}}, <16 x ptr> %{{.+}}, i32 4, <16 x i1> %
; CHECK-NOT: cttz
; CHECK: ret void
define void @avx512(ptr %args, ptr %frame, ptr %at, ptr %out, i64 %n) #1 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %latch ]
  %few = icmp ult i64 %t, %n
  br i1 %few, label %do, label %latch
do:
  %a = getelementptr i32, ptr %at, i64 %t
  %i = load i32, ptr %a
  %j = sext i32 %i to i64
  %x = mul i32 %i, %i
  %y = xor i32 %x, 77
  %z = mul i32 %y, %i
  %w = add i32 %z, 3
  %m = mul i32 %w, %x
  %to = getelementptr i32, ptr %out, i64 %j
  store i32 %m, ptr %to
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
