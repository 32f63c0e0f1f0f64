; Which space an address is in is the same for all threads of a block: nobody is told which thread asks.
; RUN: %passes --until=makeThreadLoops | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @__hwd_block.k(
; CHECK-NOT: "hostwarp.thread"
; CHECK: {{^}}}
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in.t = getelementptr ptr, ptr %in, i32 %t
  %p = load ptr, ptr %in.t
  %local = call i32 @hw_is_local(ptr %p)
  %constant = call i32 @hw_is_constant(ptr %p)
  %both = add i32 %local, %constant
  %out.t = getelementptr i32, ptr %out, i32 %t
  store i32 %both, ptr %out.t
  ret void
}
declare i32 @hw_is_local(ptr)
declare i32 @hw_is_constant(ptr)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
