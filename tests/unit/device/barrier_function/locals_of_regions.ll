; A region has the addresses of the variables that it uses, and no others: kernels of libraries have hundreds of both, and their
; product is code that is compiled and thrown away, or keeps the kernel from having a block function.
; RUN: %forms k | %check --check-prefix=SAME
; RUN: %passes --until=makeThreadLoops | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline

; Variables of 112, 208 and 304 bytes, each used in one of three regions.
; CHECK-LABEL: define internal void @__hwd_block.k(
; CHECK-COUNT-1: mul nuw i64 %{{.+}}, 112{{$}}
; CHECK-NOT: mul nuw i64 %{{.+}}, 112{{$}}
; CHECK-COUNT-1: mul nuw i64 %{{.+}}, 208{{$}}
; CHECK-NOT: mul nuw i64 %{{.+}}, 112{{$}}
; CHECK-NOT: mul nuw i64 %{{.+}}, 208{{$}}
; CHECK-COUNT-1: mul nuw i64 %{{.+}}, 304{{$}}
; CHECK-NOT: mul nuw i64 %{{.+}}, 304{{$}}
; CHECK: {{^}}}
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
  %all = alloca [4 x i32]
  %first = alloca [25 x i32]
  %second = alloca [50 x i32]
  %third = alloca [75 x i32]
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %place = and i32 %t, 1
  %s = getelementptr [4 x i32], ptr %all, i32 0, i32 %place
  store volatile i32 %t, ptr %s
  %a = getelementptr [25 x i32], ptr %first, i32 0, i32 %place
  store volatile i32 %t, ptr %a
  %x = load volatile i32, ptr %a
  call void @llvm.nvvm.barrier0()
  %b = getelementptr [50 x i32], ptr %second, i32 0, i32 %place
  store volatile i32 %x, ptr %b
  %y = load volatile i32, ptr %b
  call void @llvm.nvvm.barrier0()
  %c = getelementptr [75 x i32], ptr %third, i32 0, i32 %place
  store volatile i32 %y, ptr %c
  %z = load volatile i32, ptr %c
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %z, ptr %o
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
