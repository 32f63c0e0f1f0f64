; A function with many accesses for which the processor has no instruction has loops over lanes for all of them, though it
; is not optimised for size: a branch for each lane would be most of its code. Where all lanes of a warp are there, LLVM needs
; no branches: functions have a loop there only if they are optimised for size.
; RUN: %passes --only=loopOverLanes | %check
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @sixteen(
; CHECK-NOT: @llvm.masked.gather
; CHECK: {{^}}lanes{{[0-9]+}}:
; CHECK-NOT: @llvm.masked.gather
; CHECK-LABEL: define void @fifteen(
; CHECK-NOT: {{^}}lanes
; CHECK-LABEL: define void @with_instructions(
; CHECK-NOT: {{^}}lanes
; CHECK-LABEL: define void @known(
; CHECK-NOT: {{^}}lanes
; CHECK-LABEL: define <32 x float> @whole_warp(
; CHECK-NOT: @llvm.masked.gather
; CHECK: {{^}}lanes:
; CHECK-LABEL: define void @end(
define void @sixteen(ptr %out, <8 x ptr> %places, <8 x i1> %m) #0 {
  %v0 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p0 = getelementptr <8 x float>, ptr %out, i64 0
  store <8 x float> %v0, ptr %p0
  %v1 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p1 = getelementptr <8 x float>, ptr %out, i64 1
  store <8 x float> %v1, ptr %p1
  %v2 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p2 = getelementptr <8 x float>, ptr %out, i64 2
  store <8 x float> %v2, ptr %p2
  %v3 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p3 = getelementptr <8 x float>, ptr %out, i64 3
  store <8 x float> %v3, ptr %p3
  %v4 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p4 = getelementptr <8 x float>, ptr %out, i64 4
  store <8 x float> %v4, ptr %p4
  %v5 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p5 = getelementptr <8 x float>, ptr %out, i64 5
  store <8 x float> %v5, ptr %p5
  %v6 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p6 = getelementptr <8 x float>, ptr %out, i64 6
  store <8 x float> %v6, ptr %p6
  %v7 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p7 = getelementptr <8 x float>, ptr %out, i64 7
  store <8 x float> %v7, ptr %p7
  %v8 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p8 = getelementptr <8 x float>, ptr %out, i64 8
  store <8 x float> %v8, ptr %p8
  %v9 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p9 = getelementptr <8 x float>, ptr %out, i64 9
  store <8 x float> %v9, ptr %p9
  %v10 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p10 = getelementptr <8 x float>, ptr %out, i64 10
  store <8 x float> %v10, ptr %p10
  %v11 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p11 = getelementptr <8 x float>, ptr %out, i64 11
  store <8 x float> %v11, ptr %p11
  %v12 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p12 = getelementptr <8 x float>, ptr %out, i64 12
  store <8 x float> %v12, ptr %p12
  %v13 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p13 = getelementptr <8 x float>, ptr %out, i64 13
  store <8 x float> %v13, ptr %p13
  %v14 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p14 = getelementptr <8 x float>, ptr %out, i64 14
  store <8 x float> %v14, ptr %p14
  %v15 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p15 = getelementptr <8 x float>, ptr %out, i64 15
  store <8 x float> %v15, ptr %p15
  ret void
}
define void @fifteen(ptr %out, <8 x ptr> %places, <8 x i1> %m) #0 {
  %v0 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p0 = getelementptr <8 x float>, ptr %out, i64 0
  store <8 x float> %v0, ptr %p0
  %v1 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p1 = getelementptr <8 x float>, ptr %out, i64 1
  store <8 x float> %v1, ptr %p1
  %v2 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p2 = getelementptr <8 x float>, ptr %out, i64 2
  store <8 x float> %v2, ptr %p2
  %v3 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p3 = getelementptr <8 x float>, ptr %out, i64 3
  store <8 x float> %v3, ptr %p3
  %v4 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p4 = getelementptr <8 x float>, ptr %out, i64 4
  store <8 x float> %v4, ptr %p4
  %v5 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p5 = getelementptr <8 x float>, ptr %out, i64 5
  store <8 x float> %v5, ptr %p5
  %v6 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p6 = getelementptr <8 x float>, ptr %out, i64 6
  store <8 x float> %v6, ptr %p6
  %v7 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p7 = getelementptr <8 x float>, ptr %out, i64 7
  store <8 x float> %v7, ptr %p7
  %v8 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p8 = getelementptr <8 x float>, ptr %out, i64 8
  store <8 x float> %v8, ptr %p8
  %v9 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p9 = getelementptr <8 x float>, ptr %out, i64 9
  store <8 x float> %v9, ptr %p9
  %v10 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p10 = getelementptr <8 x float>, ptr %out, i64 10
  store <8 x float> %v10, ptr %p10
  %v11 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p11 = getelementptr <8 x float>, ptr %out, i64 11
  store <8 x float> %v11, ptr %p11
  %v12 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p12 = getelementptr <8 x float>, ptr %out, i64 12
  store <8 x float> %v12, ptr %p12
  %v13 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p13 = getelementptr <8 x float>, ptr %out, i64 13
  store <8 x float> %v13, ptr %p13
  %v14 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p14 = getelementptr <8 x float>, ptr %out, i64 14
  store <8 x float> %v14, ptr %p14
  ret void
}
define void @with_instructions(ptr %out, <8 x ptr> %places, <8 x i1> %m) #2 {
  %v0 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p0 = getelementptr <8 x float>, ptr %out, i64 0
  store <8 x float> %v0, ptr %p0
  %v1 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p1 = getelementptr <8 x float>, ptr %out, i64 1
  store <8 x float> %v1, ptr %p1
  %v2 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p2 = getelementptr <8 x float>, ptr %out, i64 2
  store <8 x float> %v2, ptr %p2
  %v3 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p3 = getelementptr <8 x float>, ptr %out, i64 3
  store <8 x float> %v3, ptr %p3
  %v4 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p4 = getelementptr <8 x float>, ptr %out, i64 4
  store <8 x float> %v4, ptr %p4
  %v5 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p5 = getelementptr <8 x float>, ptr %out, i64 5
  store <8 x float> %v5, ptr %p5
  %v6 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p6 = getelementptr <8 x float>, ptr %out, i64 6
  store <8 x float> %v6, ptr %p6
  %v7 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p7 = getelementptr <8 x float>, ptr %out, i64 7
  store <8 x float> %v7, ptr %p7
  %v8 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p8 = getelementptr <8 x float>, ptr %out, i64 8
  store <8 x float> %v8, ptr %p8
  %v9 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p9 = getelementptr <8 x float>, ptr %out, i64 9
  store <8 x float> %v9, ptr %p9
  %v10 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p10 = getelementptr <8 x float>, ptr %out, i64 10
  store <8 x float> %v10, ptr %p10
  %v11 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p11 = getelementptr <8 x float>, ptr %out, i64 11
  store <8 x float> %v11, ptr %p11
  %v12 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p12 = getelementptr <8 x float>, ptr %out, i64 12
  store <8 x float> %v12, ptr %p12
  %v13 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p13 = getelementptr <8 x float>, ptr %out, i64 13
  store <8 x float> %v13, ptr %p13
  %v14 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p14 = getelementptr <8 x float>, ptr %out, i64 14
  store <8 x float> %v14, ptr %p14
  %v15 = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %places, i32 4, <8 x i1> %m, <8 x float> poison)
  %p15 = getelementptr <8 x float>, ptr %out, i64 15
  store <8 x float> %v15, ptr %p15
  ret void
}
define void @known(ptr %out, <32 x ptr> %places) #0 {
  %v0 = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> %places, i32 4, <32 x i1> splat (i1 true), <32 x float> poison)
  %p0 = getelementptr <32 x float>, ptr %out, i64 0
  store <32 x float> %v0, ptr %p0
  %v1 = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> %places, i32 4, <32 x i1> splat (i1 true), <32 x float> poison)
  %p1 = getelementptr <32 x float>, ptr %out, i64 1
  store <32 x float> %v1, ptr %p1
  %v2 = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> %places, i32 4, <32 x i1> splat (i1 true), <32 x float> poison)
  %p2 = getelementptr <32 x float>, ptr %out, i64 2
  store <32 x float> %v2, ptr %p2
  %v3 = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> %places, i32 4, <32 x i1> splat (i1 true), <32 x float> poison)
  %p3 = getelementptr <32 x float>, ptr %out, i64 3
  store <32 x float> %v3, ptr %p3
  %v4 = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> %places, i32 4, <32 x i1> splat (i1 true), <32 x float> poison)
  %p4 = getelementptr <32 x float>, ptr %out, i64 4
  store <32 x float> %v4, ptr %p4
  %v5 = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> %places, i32 4, <32 x i1> splat (i1 true), <32 x float> poison)
  %p5 = getelementptr <32 x float>, ptr %out, i64 5
  store <32 x float> %v5, ptr %p5
  %v6 = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> %places, i32 4, <32 x i1> splat (i1 true), <32 x float> poison)
  %p6 = getelementptr <32 x float>, ptr %out, i64 6
  store <32 x float> %v6, ptr %p6
  %v7 = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> %places, i32 4, <32 x i1> splat (i1 true), <32 x float> poison)
  %p7 = getelementptr <32 x float>, ptr %out, i64 7
  store <32 x float> %v7, ptr %p7
  %v8 = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> %places, i32 4, <32 x i1> splat (i1 true), <32 x float> poison)
  %p8 = getelementptr <32 x float>, ptr %out, i64 8
  store <32 x float> %v8, ptr %p8
  %v9 = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> %places, i32 4, <32 x i1> splat (i1 true), <32 x float> poison)
  %p9 = getelementptr <32 x float>, ptr %out, i64 9
  store <32 x float> %v9, ptr %p9
  %v10 = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> %places, i32 4, <32 x i1> splat (i1 true), <32 x float> poison)
  %p10 = getelementptr <32 x float>, ptr %out, i64 10
  store <32 x float> %v10, ptr %p10
  %v11 = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> %places, i32 4, <32 x i1> splat (i1 true), <32 x float> poison)
  %p11 = getelementptr <32 x float>, ptr %out, i64 11
  store <32 x float> %v11, ptr %p11
  %v12 = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> %places, i32 4, <32 x i1> splat (i1 true), <32 x float> poison)
  %p12 = getelementptr <32 x float>, ptr %out, i64 12
  store <32 x float> %v12, ptr %p12
  %v13 = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> %places, i32 4, <32 x i1> splat (i1 true), <32 x float> poison)
  %p13 = getelementptr <32 x float>, ptr %out, i64 13
  store <32 x float> %v13, ptr %p13
  %v14 = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> %places, i32 4, <32 x i1> splat (i1 true), <32 x float> poison)
  %p14 = getelementptr <32 x float>, ptr %out, i64 14
  store <32 x float> %v14, ptr %p14
  %v15 = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> %places, i32 4, <32 x i1> splat (i1 true), <32 x float> poison)
  %p15 = getelementptr <32 x float>, ptr %out, i64 15
  store <32 x float> %v15, ptr %p15
  ret void
}
define <32 x float> @whole_warp(<32 x ptr> %places) #1 {
  %v = call <32 x float> @llvm.masked.gather.v32f32.v32p0(<32 x ptr> %places, i32 4, <32 x i1> splat (i1 true),
                                                          <32 x float> poison)
  ret <32 x float> %v
}
define void @end() {
  ret void
}
attributes #0 = { "target-cpu"="x86-64-v3" }
attributes #1 = { optsize "target-cpu"="x86-64-v3" }
attributes #2 = { "target-cpu"="x86-64-v4" }
