; What checks say of the values: of which kind the numbers are, how large each is where there are several, and where what
; is written lies if it has more than 8 bytes.
; RUN: %passes --checked --only=checkAccesses,nameCheckSites | %check
%four = type { float, float, float, float }
%mixed = type { i32, float, double }
%padded = type { i8, double }
%pointers = type { ptr, ptr }

; A copy of floats to and from multiples of 16 bytes; one of which less is known; of several types; of what has padding,
; or addresses.
; CHECK-LABEL: define void @copies(
; CHECK: call void @hw_check_access(ptr %q, i64 16, i32 47190017,
; CHECK: call void @hw_check_access(ptr %second, i64 16, i32 47190018, {{.*}}, i64 %{{.+}})
; CHECK: call void @hw_check_access(ptr %p, i64 16, i32 4098,
; CHECK: call void @hw_check_access(ptr %several, i64 16, i32 4098,
; CHECK: call void @hw_check_access(ptr %hole, i64 16, i32 2101250,
; CHECK: call void @hw_check_access(ptr %places, i64 16, i32 2101250,
define void @copies(ptr %p, ptr %q) {
  %second = getelementptr %four, ptr %p, i64 1
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %second, ptr align 16 %q, i64 16, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %p, ptr align 4 %q, i64 16, i1 false)
  %several = getelementptr %mixed, ptr %p, i64 1
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %several, ptr align 8 %q, i64 16, i1 false)
  %hole = getelementptr %padded, ptr %p, i64 1
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %hole, ptr align 8 %q, i64 16, i1 false)
  %places = getelementptr %pointers, ptr %p, i64 1
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %places, ptr align 8 %q, i64 16, i1 false)
  ret void
}

; CHECK-LABEL: define void @vectors(
; CHECK: [[PLACE:%.+]] = alloca <4 x i32>
; CHECK: call void @hw_check_access(ptr %p, i64 16, i32 12582913,
; CHECK: store <4 x i32> %v, ptr [[PLACE]]
; CHECK-NEXT: [[ADDRESS:%.+]] = ptrtoint ptr [[PLACE]] to i64
; CHECK-NEXT: call void @hw_check_access(ptr %q, i64 16, i32 46141442, {{.*}}, i64 [[ADDRESS]])
; CHECK-NEXT: store <4 x i32> %v, ptr %q
; Of 8 bytes, the value itself.
; CHECK: [[VALUE:%.+]] = bitcast <2 x float> %w to i64
; CHECK-NEXT: call void @hw_check_access(ptr %q, i64 8, i32 13631746, {{.*}}, i64 [[VALUE]])
define void @vectors(ptr %p, ptr %q, <2 x float> %w) {
  %v = load <4 x i32>, ptr %p, align 16
  store <4 x i32> %v, ptr %q, align 16
  store <2 x float> %w, ptr %q, align 8
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
