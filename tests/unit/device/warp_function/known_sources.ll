; Shuffles whose source lanes the code names move the values of a whole warp at once, in segments of every width; `up`
; keeps the value of lanes whose source lies before the segment, `down` of those whose source lies behind it.
; RUN: %forms k block=64 grid=2 | %check --check-prefix=SAME
; RUN: %forms k block=33 | %check --check-prefix=SAME
; RUN: %passes --until=makeThreadLoops | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline

; CHECK-LABEL: define internal void @__hwd_block.k(
; CHECK: shufflevector <32 x i32> %{{.+}}, <32 x i32> poison, <32 x i32> <i32 16, i32 17, i32 18,
; CHECK: shufflevector <32 x i32> %{{.+}}, <32 x i32> poison, <32 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 7, i32 9,
; CHECK: shufflevector <32 x i32> %{{.+}}, <32 x i32> poison, <32 x i32> <i32 0, i32 1, i32 0, i32 1, i32 2,
; CHECK: shufflevector <32 x i32> %{{.+}}, <32 x i32> poison, <32 x i32> <i32 3, i32 3, i32 3, i32 3, i32 7,
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %base = mul i32 %b, %w
  %g = add i32 %base, %t
  %out.g = getelementptr i32, ptr %out, i32 %g
  %in.g = getelementptr i32, ptr %in, i32 %g
  %v = load i32, ptr %in.g
  %x = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %v, i32 16, i32 31)
  %v1 = add i32 %v, %x
  %d = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %v1, i32 1, i32 6175)
  %v2 = sub i32 %d, %v
  %u = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %v2, i32 2, i32 0)
  %v3 = add i32 %u, %v1
  %i = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %v3, i32 7, i32 7199)
  %v4 = xor i32 %i, %v
  store i32 %v4, ptr %out.g
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.up.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
