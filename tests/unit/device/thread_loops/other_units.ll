; With -rdc=true the linker finds out whether a function of another translation unit waits: the first block looks at its note.
; RUN: %passes --rdc --until=makeThreadLoops | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-DAG: @hw_waits.__hwd_block.k.callees = internal constant [1 x ptr] [ptr @hw_waits.__hwd__Z5otherv]
; CHECK-DAG: @hw_waits.__hwd_block.k = internal global { i32, i32, ptr, ptr, ptr } { i32 0, i32 1, ptr @hw_waits.__hwd_block.k.callees, ptr null, ptr null }
; CHECK-DAG: @hw_waits.__hwd__Z5otherv = extern_weak hidden global
; CHECK-DAG: @hw_waits.__hwd_plain = hidden global { i32, i32, ptr, ptr, ptr } { i32 1, i32 0, ptr null, ptr null, ptr null }
; CHECK-DAG: @hw_waits.__hwd_waits = weak hidden global { i32, i32, ptr, ptr, ptr } { i32 2, i32 0, ptr null, ptr null, ptr null }
; CHECK: define internal void @__hwd_block.k(
; CHECK: %[[ANSWER:.+]] = load atomic i32, ptr @hw_waits.__hwd_block.k monotonic
; CHECK: icmp ne i32 %[[ANSWER]], 1
; CHECK: call i32 @hw_may_wait(ptr @hw_waits.__hwd_block.k)
; CHECK: call void @hw_run_thread_by_thread()
define void @plain(ptr %p) noinline {
  store i32 1, ptr %p
  ret void
}
define weak void @waits() noinline optnone {
  call void @llvm.nvvm.barrier0()
  ret void
}
declare void @llvm.nvvm.barrier0()
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  call void @_Z5otherv()
  ret void
}
declare void @_Z5otherv()
