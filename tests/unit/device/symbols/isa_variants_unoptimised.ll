; Code that is not optimised has no vectors, and no variant for AVX-512. With -rdc=true other units look for it by its name.
; RUN: %passes -O0 --until=makeIsaVariants | %check
; RUN: %passes -O0 --rdc --until=makeIsaVariants | %check --check-prefix=UNITS
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
; CHECK-NOT: avx512
; CHECK-DAG: define internal void @__hwd_entry.k(
; CHECK-DAG: define internal void @__hwd_entry.k.avx2(
; CHECK-NOT: avx512
; UNITS: define {{.*}}helper{{.*}}avx512
define void @helper(ptr %p) {
  store i32 1, ptr %p
  ret void
}
define ptx_kernel void @k(ptr %p) {
  call void @helper(ptr %p)
  ret void
}
