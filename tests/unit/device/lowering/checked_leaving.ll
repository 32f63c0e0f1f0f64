; Accesses of a block function say that all threads come to each barrier (134217728), where that is so.
; RUN: %passes --checked --until=makeThreadLoops | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()

; 268468482: a write (2) of a known value (256) where only barriers order (32768).
; CHECK-LABEL: define internal void @__hwd_block.together(
; CHECK: call void @hw_check_access(ptr {{.+}}, i64 4, i32 402686210,
; CHECK-LABEL: define internal void @__hwd_block.leaves(
; CHECK: call void @hw_check_access(ptr {{.+}}, i64 4, i32 268468482,
; CHECK: call void @hw_check_access(ptr {{.+}}, i64 4, i32 268468482,
; CHECK-NOT: i64 4, i32 402686210,
define ptx_kernel void @together(ptr %p, i32 %n) {
  %some = icmp sgt i32 %n, 3
  br i1 %some, label %store, label %end
store:
  store i32 1, ptr %p
  call void @llvm.nvvm.barrier0()
  br label %end
end:
  ret void
}

define ptx_kernel void @leaves(ptr %p, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %some = icmp slt i32 %t, %n
  store i32 1, ptr %p
  br i1 %some, label %go, label %end
go:
  call void @llvm.nvvm.barrier0()
  store i32 2, ptr %p
  br label %end
end:
  ret void
}
