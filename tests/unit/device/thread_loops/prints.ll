; A kernel that prints has a block function, in which the call says which thread prints: what a block prints that is run
; again to find a fault goes nowhere.
; RUN: %passes --until=makeThreadLoops --explain 2>&1 | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-NOT: has a fiber per thread
; CHECK: define {{.*}}@__hwd_block.k(
; CHECK: call i32 @hw_vprintf({{.+}}) {{.*}}[ "hostwarp.thread"(ptr %{{.+}}, i32 %{{.+}}, i32 %{{.+}}, i32 %{{.+}}, i32 %{{.+}}, i32 %{{.+}}, i32 %{{.+}}) ]
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  %c = call i32 @vprintf(ptr @format, ptr null)
  ret void
}
@format = private constant [2 x i8] c"x\00"
declare i32 @vprintf(ptr, ptr)
