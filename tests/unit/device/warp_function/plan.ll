; What the runtime has to know of a boundary: its kind and operation, and what each lane hands over; numbers that are the same
; for all lanes stand there themselves, inverted.
; RUN: %passes --until=makeThreadLoops | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Shuffle up by 3 in segments of 32 (~3 and ~32), the mask in an array; a maximum of the lanes 0 to 15 (~0xffff); a barrier.
; CHECK: @__hwd_block.k.boundaries = internal constant [4 x { i32, i32, i64, i64, i64, i64, i64, i64, i64, ptr }] [
; CHECK-SAME: zeroinitializer,
; CHECK-SAME: { i32 3, i32 1, i64 {{[0-9]+}}, i64 -4, i64 -33, i64 {{[0-9]+}}, i64 {{[0-9]+}}, i64 {{[0-9]+}}, i64 4, ptr null }
; CHECK-SAME: { i32 7, i32 2, i64 -65536, i64 -1, i64 -1, i64 {{[0-9]+}}, i64 {{[0-9]+}}, i64 0, i64 4, ptr null }
; CHECK-SAME: { i32 0, i32 0,
; CHECK: @__hwd_block.k.plan = internal constant { ptr, i64, i32, i64 } { ptr @__hwd_block.k.boundaries, i64 {{[0-9]+}}, i32 4, i64 {{[0-9]+}} }
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %width = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %height = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %row = mul i32 %y, %width
  %t = add i32 %row, %x
  %w = mul i32 %width, %height
  %base = mul i32 %b, %w
  %g = add i32 %base, %t
  %out.g = getelementptr i32, ptr %out, i32 %g
  %in.g = getelementptr i32, ptr %in, i32 %g
  %v = load i32, ptr %in.g
  %a = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 %v, i32 %v, i32 3, i32 0)
  %c = call i32 @hw_warp_reduce(i32 65535, i32 2, i32 %a)
  call void @llvm.nvvm.barrier0()
  store i32 %c, ptr %out.g
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier0()
declare i32 @llvm.nvvm.shfl.sync.up.i32(i32, i32, i32, i32)
declare i32 @hw_warp_reduce(i32, i32, i32)
