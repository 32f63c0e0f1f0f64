; In functions that are optimised for size, masked accesses become loops over the lanes that access something, where the processor has no
; instruction for them. A narrow number stays narrow until its lane's turn; what is known of the mask LLVM knows, too.
; RUN: %passes --only=loopOverLanes | %check
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @scatter(
; CHECK: store <8 x i32> %n, ptr %[[NUMBERS:.+]],
; CHECK: store <8 x i32> %v, ptr %[[VALUES:.+]],
; CHECK: %[[BITS:.+]] = bitcast <8 x i1> %m to i8
; CHECK: %[[MASK:.+]] = zext i8 %[[BITS]] to i32
; CHECK: lanes:
; CHECK-NEXT: %[[LEFT:.+]] = phi i32 [ %[[MASK]], %entry ], [ %[[REST:.+]], %lanes ]
; CHECK-NEXT: %[[FIRST:.+]] = call i32 @llvm.cttz.i32(i32 %[[LEFT]], i1 true)
; CHECK-NEXT: %[[LANE:.+]] = zext i32 %[[FIRST]] to i64
; CHECK-NEXT: getelementptr i32, ptr %[[NUMBERS]], i64 %[[LANE]]
; CHECK-NEXT: %[[NUMBER:.+]] = load i32
; CHECK-NEXT: %[[WIDE:.+]] = sext i32 %[[NUMBER]] to i64
; CHECK-NEXT: %[[PLACE:.+]] = getelementptr float, ptr %p, i64 %[[WIDE]]
; CHECK-NEXT: getelementptr i32, ptr %[[VALUES]], i64 %[[LANE]]
; CHECK-NEXT: %[[VALUE:.+]] = load i32
; CHECK-NEXT: store i32 %[[VALUE]], ptr %[[PLACE]], align 4, !alias.scope
; CHECK-NEXT: %[[LESS:.+]] = sub i32 %[[LEFT]], 1
; CHECK-NEXT: %[[REST]] = and i32 %[[LEFT]], %[[LESS]]
; CHECK: ret void
define void @scatter(ptr %p, <8 x i32> %n, <8 x i32> %v, <8 x i1> %m) #0 {
entry:
  %wide = sext <8 x i32> %n to <8 x i64>
  %places = getelementptr float, ptr %p, <8 x i64> %wide
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %v, <8 x ptr> %places, i32 4, <8 x i1> %m), !alias.scope !0
  ret void
}

; Lanes that load nothing keep what they had.
; CHECK-LABEL: define <32 x i8> @gather(
; CHECK: store <32 x ptr> %places, ptr %[[PLACES:.+]],
; CHECK: store <32 x i8> %old, ptr %[[VALUES:.+]],
; CHECK: lanes:
; CHECK: %[[PLACE:.+]] = load ptr
; CHECK: %[[LOADED:.+]] = load i8, ptr %[[PLACE]], align 1
; CHECK-NEXT: store i8 %[[LOADED]], ptr
; CHECK: %[[RESULT:.+]] = load <32 x i8>, ptr %[[VALUES]]
; CHECK-NEXT: ret <32 x i8> %[[RESULT]]
define <32 x i8> @gather(<32 x ptr> %places, <32 x i8> %old, <32 x i1> %m) #1 {
  %r = call <32 x i8> @llvm.masked.gather.v32i8.v32p0(<32 x ptr> %places, i32 1, <32 x i1> %m, <32 x i8> %old)
  ret <32 x i8> %r
}

; Side by side, only the first element is as far aligned as the vector.
; CHECK-LABEL: define void @store(
; CHECK: lanes:
; CHECK: %[[PLACE:.+]] = getelementptr i16, ptr %p, i64
; CHECK: store i16 %{{.+}}, ptr %[[PLACE]], align 2
; CHECK-LABEL: define void @has_instructions(
; CHECK-NOT: lanes:
define void @store(ptr %p, <16 x i16> %v, <16 x i1> %m) #1 {
  call void @llvm.masked.store.v16i16.p0(<16 x i16> %v, ptr %p, i32 32, <16 x i1> %m)
  ret void
}

define void @has_instructions(ptr %p, <8 x float> %v, <8 x i1> %m) #1 {
  %g = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %p, i32 4, <8 x i1> %m, <8 x float> %v)
  call void @llvm.masked.store.v8f32.p0(<8 x float> %g, ptr %p, i32 4, <8 x i1> %m)
  ret void
}

define void @known(<8 x ptr> %places, <8 x float> %v) #0 {
  call void @llvm.masked.scatter.v8f32.v8p0(<8 x float> %v, <8 x ptr> %places, i32 4,
      <8 x i1> <i1 1, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 1>)
  ret void
}

define void @may_be_long(<8 x ptr> %places, <8 x float> %v, <8 x i1> %m) #2 {
  call void @llvm.masked.scatter.v8f32.v8p0(<8 x float> %v, <8 x ptr> %places, i32 4, <8 x i1> %m)
  ret void
}

attributes #0 = { optsize "target-cpu"="x86-64" }
attributes #1 = { optsize "target-cpu"="x86-64-v3" }
attributes #2 = { "target-cpu"="x86-64" }
!0 = !{!1}
!1 = distinct !{!1, !2}
!2 = distinct !{!2}
