; Local memory whose size is not known.
; RUN: %passes --until=makeThreadLoops --explain 2>&1 >/dev/null | %check
; RUN: %forms k whole=no | %check --check-prefix=SAME
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: k has a fiber per thread: its local memory has no fixed size
; SAME: equal: threads random{{$}}
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  %p = alloca i32, i32 %n
  %q = getelementptr i32, ptr %p, i32 %n
  %last = getelementptr i32, ptr %q, i32 -1
  %v = load i32, ptr %in
  store volatile i32 %v, ptr %last
  %u = load volatile i32, ptr %last
  call void @llvm.nvvm.barrier0()
  store i32 %u, ptr %out
  ret void
}
declare void @llvm.nvvm.barrier0()
