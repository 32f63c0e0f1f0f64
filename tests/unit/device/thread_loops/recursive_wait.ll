; A function that calls itself and waits cannot become part of the kernel.
; RUN: %passes --until=makeThreadLoops --explain 2>&1 >/dev/null | %check
; RUN: %forms k whole=no | %check --check-prefix=SAME
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: k has a fiber per thread: it calls hw_barrier
; SAME: equal: threads random{{$}}
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  call void @down(i32 %n)
  ret void
}
define internal void @down(i32 %n) noinline {
  %more = icmp sgt i32 %n, 0
  br i1 %more, label %go, label %end
go:
  call void @llvm.nvvm.barrier0()
  %less = sub i32 %n, 1
  call void @down(i32 %less)
  br label %end
end:
  ret void
}
declare void @llvm.nvvm.barrier0()
