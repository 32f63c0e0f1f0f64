; Values of many kinds that threads need behind a barrier: a condition, bytes, doubles, a vector, parts of a structure, an address.
; A condition takes a byte for each thread.
; RUN: %forms k | %check --check-prefix=SAME
; RUN: %forms k block=9,7 | %check --check-prefix=SAME
; RUN: %passes --until=makeThreadLoops | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline
; CHECK-LABEL: define internal void @__hwd_block.k(
; CHECK: store <4 x i32> %{{.+}}, ptr %{{.+}}, align 16
; CHECK-NOT: store i1
; CHECK: {{^}}}
; CHECK: ; k.frameBytes: {{[0-9]+}}
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
  %r7 = urem i32 %v, 7
  %flag = icmp ugt i32 %r7, 2
  %byte = trunc i32 %r7 to i8
  %vd = uitofp i32 %v to double
  %root = fdiv double %vd, 3.0
  %v4.in = load <4 x i32>, ptr %in
  %v4 = insertelement <4 x i32> %v4.in, i32 %v, i32 2
  %pair = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %v, i32 -100)
  %place = urem i32 %v, 3
  %address = getelementptr i32, ptr %out.g, i32 2048
  %chosen = select i1 %flag, ptr %address, ptr %out.g
  call void @llvm.nvvm.barrier0()
  %flag.word = zext i1 %flag to i32
  %byte.word = sext i8 %byte to i32
  %int = fptosi double %root to i32
  %lane = extractelement <4 x i32> %v4, i32 %place
  %sum = extractvalue { i32, i1 } %pair, 0
  %over = extractvalue { i32, i1 } %pair, 1
  %over.word = zext i1 %over to i32
  %a = add i32 %flag.word, %byte.word
  %a2 = add i32 %a, %int
  %a3 = add i32 %a2, %lane
  %a4 = add i32 %a3, %sum
  %a5 = add i32 %a4, %over.word
  store i32 %a5, ptr %chosen
  ret void
}
declare { i32, i1 } @llvm.uadd.with.overflow.i32(i32, i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier0()
