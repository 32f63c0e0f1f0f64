; The narrow number that elements are looked up by is extended next to the gather or scatter: instruction selection sees one
; block at a time.
; RUN: %passes --only=bringGatherIndices | %check

; CHECK-LABEL: define void @k(
; CHECK: look:
; CHECK-NEXT: %[[FROM:.+]] = sext <16 x i32> %number to <16 x i64>
; CHECK-NEXT: %[[READ:.+]] = getelementptr float, ptr %x, <16 x i64> %[[FROM]]
; CHECK-NEXT: call <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr> %[[READ]],
; CHECK-NEXT: %[[TO:.+]] = sext <16 x i32> %number to <16 x i64>
; CHECK-NEXT: %[[WRITTEN:.+]] = getelementptr float, ptr %y, <16 x i64> %[[TO]]
; CHECK-NEXT: call void @llvm.masked.scatter.v16f32.v16p0(<16 x float> %v, <16 x ptr> %[[WRITTEN]],
define void @k(ptr %x, ptr %y, <16 x i32> %number, <16 x i1> %mask, i1 %any) #0 {
entry:
  %wide = sext <16 x i32> %number to <16 x i64>
  %from = getelementptr float, ptr %x, <16 x i64> %wide
  %to = getelementptr float, ptr %y, <16 x i64> %wide
  br i1 %any, label %look, label %end
look:
  %v = call <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr> %from, i32 4, <16 x i1> %mask, <16 x float> zeroinitializer)
  call void @llvm.masked.scatter.v16f32.v16p0(<16 x float> %v, <16 x ptr> %to, i32 4, <16 x i1> %mask)
  br label %end
end:
  ret void
}
; What runs one thread has its order from LLVM alone.
; CHECK-LABEL: define void @thread(
; CHECK: look:
; CHECK-NEXT: call <16 x float> @llvm.masked.gather
define void @thread(ptr %x, ptr %y, <16 x i32> %number, <16 x i1> %mask, i1 %any) {
entry:
  %wide = sext <16 x i32> %number to <16 x i64>
  %from = getelementptr float, ptr %x, <16 x i64> %wide
  br i1 %any, label %look, label %end
look:
  %v = call <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr> %from, i32 4, <16 x i1> %mask, <16 x float> zeroinitializer)
  store <16 x float> %v, ptr %y
  br label %end
end:
  ret void
}
declare <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr>, i32, <16 x i1>, <16 x float>)
declare void @llvm.masked.scatter.v16f32.v16p0(<16 x float>, <16 x ptr>, i32, <16 x i1>)
attributes #0 = { "hostwarp-runs-block" }
