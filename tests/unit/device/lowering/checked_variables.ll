; Findings of the checked build can name variables: sites have tables of the shared ones that the function uses, with their
; places, and of the module's own. The calls that note them are gone.
; RUN: %passes --checked --until=nameCheckSites | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@first = internal addrspace(3) global [3 x i32] undef, align 4
@_ZZ1kPiE4tile = internal addrspace(3) global [4 x [8 x float]] undef, align 4
@part = external addrspace(3) global [0 x double], align 8
@counts = addrspace(1) externally_initialized global [16 x i64] zeroinitializer, align 8

; CHECK-DAG: c"__device__ counts[16], 8 bytes each\00"
; CHECK-DAG: c"__shared__ first[3], 4 bytes each\00"
; CHECK-DAG: @[[TILE:.+]] = private constant [5 x i8] c"tile\00"
; CHECK-DAG: @[[TEXT:.+]] = private constant [{{.+}}] c"__shared__ float tile[4][8]\00"
; CHECK-DAG: c"extern __shared__ double part[]\00"
; Behind `first`: 12 bytes into the block's memory.
; CHECK-DAG: { ptr @[[TILE]], ptr @[[TEXT]], ptr null, i64 12, i64 128, i64 4, [3 x i64] [i64 4, i64 8, i64 0], i32 2, i32 0 }
; CHECK-DAG: ptr null, i64 0, i64 0, i64 8, [3 x i64] zeroinitializer, i32 1, i32 1 }
; CHECK-DAG: counts to ptr), i64 0, i64 128, i64 8, [3 x i64] [i64 16, i64 0, i64 0], i32 1, i32 2 }
; CHECK-LABEL: define internal void @__hwd_entry.k(
; CHECK-NOT: hw_check_object(ptr null
define ptx_kernel void @k(i64 %i, i64 %j) {
  store i32 1, ptr addrspace(3) @first
  %element = getelementptr [4 x [8 x float]], ptr addrspace(3) @_ZZ1kPiE4tile, i64 0, i64 %i, i64 %j
  store float 1.0, ptr addrspace(3) %element
  call void @helper(i64 %i)
  ret void
}

define internal void @helper(i64 %i) noinline {
  %element = getelementptr double, ptr addrspace(3) @part, i64 %i
  store double 1.0, ptr addrspace(3) %element
  %count = getelementptr i64, ptr addrspace(1) @counts, i64 %i
  store i64 1, ptr addrspace(1) %count
  ret void
}
