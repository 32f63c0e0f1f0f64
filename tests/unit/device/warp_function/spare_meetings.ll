; Loops over lanes that meet are marked where a joined loop takes whole warps past the meeting, and where lanes look up what
; others have.
; RUN: %forms k block=64 grid=2 n=3 | %check --check-prefix=SAME
; RUN: %forms k block=40 n=7 | %check --check-prefix=SAME
; RUN: %passes --until=makeThreadLoops | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline

; CHECK-LABEL: define internal void @__hwd_block.k(
; CHECK: each_lane:
; CHECK: br i1 %{{.+}}, label %each_lane, label %all_lanes, !llvm.loop ![[FIRST:[0-9]+]]
; CHECK: br i1 %{{.+}}, label %[[LANE:each_lane[0-9]+]], label %all_lanes{{[0-9]+}}, !llvm.loop ![[SECOND:[0-9]+]]
; CHECK-DAG: ![[FIRST]] = distinct !{![[FIRST]], !{{[0-9]+}}, !{{[0-9]+}}, ![[SPARE:[0-9]+]], ![[LOOK_UP:[0-9]+]]}
; CHECK-DAG: ![[SECOND]] = distinct !{![[SECOND]], !{{[0-9]+}}, !{{[0-9]+}}, ![[SPARE]], ![[LOOK_UP]]}
; CHECK-DAG: ![[SPARE]] = !{!"hostwarp.spare_loop", i32 0}
; CHECK-DAG: ![[LOOK_UP]] = !{!"hostwarp.look_up_loop"}
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %base = mul i32 %b, %w
  %g = add i32 %base, %x
  %in.g = getelementptr i32, ptr %in, i32 %g
  %a = load i32, ptr %in.g
  %first = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %a, i32 %n, i32 31)
  %sum = add i32 %a, %first
  %second = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %sum, i32 %n, i32 31)
  %total = add i32 %sum, %second
  %out.g = getelementptr i32, ptr %out, i32 %g
  store i32 %total, ptr %out.g
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
