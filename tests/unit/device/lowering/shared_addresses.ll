; Constants with addresses of shared variables are local variables of the functions that use them.
; RUN: %passes --only=storeSharedAddresses | %check

@first = internal addrspace(3) global [32 x float] undef, align 4
@raw = external addrspace(3) global [0 x float], align 4
@tiles = private unnamed_addr constant [2 x ptr] [ptr addrspacecast (ptr addrspace(3) @first to ptr), ptr getelementptr (i8, ptr addrspacecast (ptr addrspace(3) @raw to ptr), i64 128)], align 8
@views = private unnamed_addr constant [1 x { ptr, i32 }] [{ ptr, i32 } { ptr addrspacecast (ptr addrspace(3) @first to ptr), i32 3 }], align 8
@numbers = private unnamed_addr constant [2 x i32] [i32 1, i32 2], align 4

; CHECK-NOT: @tiles
; CHECK-NOT: @views
; CHECK: @numbers = private unnamed_addr constant
; CHECK-LABEL: define void @k(
; CHECK: %[[TILES:.+]] = alloca [2 x ptr], align 8
; CHECK: store ptr addrspacecast (ptr addrspace(3) @first to ptr), ptr %{{.+}}
; CHECK: store ptr getelementptr (i8, ptr addrspacecast (ptr addrspace(3) @raw to ptr), i64 128), ptr %{{.+}}
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %[[TILES]], i64 16, i1 false)
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %more, ptr @numbers, i64 8, i1 false)
define void @k() {
entry:
  %copy = alloca [2 x ptr], align 8
  %more = alloca [2 x i32], align 4
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr @tiles, i64 16, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %more, ptr @numbers, i64 8, i1 false)
  ret void
}
; CHECK-LABEL: define i32 @other(
; CHECK: alloca [1 x { ptr, i32 }], align 8
; CHECK: store i32 3, ptr %{{.+}}
; CHECK: getelementptr
define i32 @other(i64 %i) {
  %at = getelementptr [1 x { ptr, i32 }], ptr @views, i64 0, i64 %i, i32 1
  %v = load i32, ptr %at, align 8
  ret i32 %v
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
