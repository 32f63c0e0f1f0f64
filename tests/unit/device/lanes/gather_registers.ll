; Lanes that may be undefined look up the element 0 where they are not there: what is undefined may be in any register.
; RUN: %passes --only=keepGatherRegistersApart | %check

; CHECK-LABEL: define <8 x i32> @some(
; CHECK: %[[NUMBER:.+]] = select <8 x i1> %mask, <8 x i32> %part, <8 x i32> zeroinitializer
; CHECK-NEXT: %[[WIDE:.+]] = sext <8 x i32> %[[NUMBER]] to <8 x i64>
; CHECK-NEXT: %[[AT:.+]] = getelementptr i32, ptr %x, <8 x i64> %[[WIDE]]
; CHECK-NEXT: call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> %[[AT]],
define <8 x i32> @some(ptr %x, <4 x i32> %number, <8 x i1> %mask) {
  %part = shufflevector <4 x i32> %number, <4 x i32> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 poison, i32 poison, i32 poison, i32 poison>
  %wide = sext <8 x i32> %part to <8 x i64>
  %at = getelementptr i32, ptr %x, <8 x i64> %wide
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> %at, i32 4, <8 x i1> %mask, <8 x i32> poison)
  ret <8 x i32> %v
}

; CHECK-LABEL: define <8 x i32> @pointers(
; CHECK: %[[AT:.+]] = select <8 x i1> %mask, <8 x ptr> %place, <8 x ptr> zeroinitializer
; CHECK-NEXT: call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> %[[AT]],
define <8 x i32> @pointers(<8 x ptr> %given, <8 x i1> %mask, i1 %way) {
entry:
  br i1 %way, label %some, label %end
some:
  br label %end
end:
  %place = phi <8 x ptr> [ %given, %some ], [ poison, %entry ]
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> %place, i32 4, <8 x i1> %mask, <8 x i32> poison)
  ret <8 x i32> %v
}

; CHECK-LABEL: define <8 x i32> @all(
; CHECK-NOT: select
; CHECK: ret
define <8 x i32> @all(ptr %x, i32 %number, <8 x i64> %numbers, <8 x i1> %mask) {
  %first = insertelement <8 x i32> poison, i32 %number, i64 0
  %splat = shufflevector <8 x i32> %first, <8 x i32> poison, <8 x i32> zeroinitializer
  %wide = sext <8 x i32> %splat to <8 x i64>
  %sum = add <8 x i64> %wide, %numbers
  %at = getelementptr i32, ptr %x, <8 x i64> %sum
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr> %at, i32 4, <8 x i1> %mask, <8 x i32> poison)
  ret <8 x i32> %v
}
declare <8 x i32> @llvm.masked.gather.v8i32.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x i32>)
