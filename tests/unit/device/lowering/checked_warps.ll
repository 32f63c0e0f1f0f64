; Where the lanes of a warp meet in a block that runs whole, the checks are told of it; and of the barriers between warps. Lanes
; that are only kept in step meet nobody (mask 0). Who meets by a mask that is not known
; is the runtime's business, unless all name all.
; RUN: %passes --checked --until=makeThreadLoops | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @__hwd_block.k(
; CHECK: call void @hw_check_meeting(i32 %{{.+}}, i32 3)
; CHECK: call void @hw_check_meeting(i32 %{{.+}}, i32 2)
; CHECK: icmp eq i32 %{{.+}}, -1
; CHECK: call void @hw_check_meeting(i32 %{{.+}}, i32 2)
; CHECK: call i32 @hw_meet_warp(
; CHECK-NOT: call void @hw_check_meeting(
; CHECK: {{^}}}
define ptx_kernel void @k(ptr %p, i32 %mask) {
  %v = load i32, ptr %p
  %s = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %v, i32 1, i32 31)
  store i32 %s, ptr %p
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %w = load i32, ptr %p
  store i32 %w, ptr %p
  call void @llvm.nvvm.barrier0()
  call void @llvm.nvvm.bar.warp.sync(i32 %mask)
  store i32 %v, ptr %p
  ret void
}

; With named barriers a kernel has a fiber for each thread.
; CHECK-NOT: @__hwd_block.named(
define ptx_kernel void @named(ptr %p) {
  store i32 1, ptr %p
  call void @llvm.nvvm.barrier(i32 1, i32 64)
  store i32 2, ptr %p
  ret void
}
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare void @llvm.nvvm.bar.warp.sync(i32)
declare void @llvm.nvvm.barrier0()
declare void @llvm.nvvm.barrier(i32, i32)
