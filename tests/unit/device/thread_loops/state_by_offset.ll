; LLVM merges reads of two fields of the running thread's state into one at an offset that is chosen. Where the choice is
; between fields that all threads share, the kernel runs as a whole block; one of the thread's own must not be among them.
; RUN: %passes --until=makeThreadLoops --explain 2>&1 >/dev/null | %check
; RUN: %forms shared | %check --check-prefix=WHOLE
; RUN: %forms bits | %check --check-prefix=WHOLE
; RUN: %forms own whole=no | %check --check-prefix=SAME
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-NOT: shared has a fiber
; CHECK-NOT: bits has a fiber
; CHECK: own has a fiber per thread: it keeps the address of the running thread
; WHOLE: equal: threads random baseline
; SAME: equal: threads random{{$}}
define ptx_kernel void @shared(ptr %out, ptr %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %self = call ptr @hw_self()
  %c = icmp sgt i32 %t, 3
  br i1 %c, label %high, label %join
high:
  br label %join
join:
  %offset = phi i64 [32, %entry], [36, %high]
  %field = getelementptr i8, ptr %self, i64 %offset
  %i = load i32, ptr %field, !invariant.load !0
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %i, ptr %o
  ret void
}

define ptx_kernel void @bits(ptr %out, ptr %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %self = call ptr @hw_self()
  %c = icmp sgt i32 %t, 3
  %one = zext i1 %c to i64
  %index = or i64 %one, 8
  %field = getelementptr i32, ptr %self, i64 %index
  %i = load i32, ptr %field, !invariant.load !0
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %i, ptr %o
  ret void
}

define ptx_kernel void @own(ptr %out, ptr %in, i32 %n) {
entry:
  %self = call ptr @hw_self()
  %c = icmp sgt i32 %n, 3
  %offset = select i1 %c, i64 0, i64 24
  %field = getelementptr i8, ptr %self, i64 %offset
  %i = load volatile i32, ptr %field
  %o = getelementptr i32, ptr %out, i32 %i
  store i32 %n, ptr %o
  ret void
}
declare ptr @hw_self()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
!0 = !{}
