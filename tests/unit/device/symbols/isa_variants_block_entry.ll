; The threads' entry of a kernel that has a block entry serves rarely: it has no finest variant of its own. The baseline's
; block entry is kept short.
; RUN: %passes --until=makeIsaVariants | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr i32, ptr %p, i32 %t
  store i32 %t, ptr %a
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK-DAG: define internal void @__hwd_entry.k(
; CHECK-DAG: define internal void @__hwd_entry.k.avx2(
; CHECK-DAG: define internal void @__hwd_block.k({{.*}}#[[SMALL:[0-9]+]]
; CHECK-DAG: define internal void @__hwd_block.k.avx2(
; CHECK-DAG: define internal void @__hwd_block.k.avx512(
; CHECK-DAG: attributes #[[SMALL]] = {{.*}}optsize
; RUN: %passes --until=makeIsaVariants | %check --check-prefix=NOT
; NOT-NOT: __hwd_entry.k.avx512
