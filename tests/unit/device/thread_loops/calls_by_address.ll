; A call by an address is of a function whose address somebody takes. Where none of those of its type waits, the kernel has a
; block function; one that does keeps it on fibers, unless these are so few that they are called directly. Functions of other
; units (-rdc=true) are found when the program is linked.
; RUN: %passes --until=makeThreadLoops --explain 2>&1 >/dev/null | %check
; RUN: %passes --until=makeThreadLoops --explain --rdc 2>&1 >/dev/null | %check --check-prefix=UNITS
; RUN: %forms k | %check --check-prefix=SAME
; RUN: %forms tries | %check --check-prefix=SAME
; RUN: %forms waits whole=no | %check --check-prefix=FIBERS
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-NOT: k has a fiber per thread
; CHECK-NOT: tries has a fiber per thread
; CHECK: waits has a fiber per thread: it calls hw_barrier
; UNITS-NOT: k has a fiber per thread
; UNITS: waits has a fiber per thread: it calls hw_barrier
; SAME: equal: threads random baseline
; FIBERS: equal: threads random{{$}}
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %odd = and i32 %x, 1
  %c = icmp eq i32 %odd, 1
  %f = select i1 %c, ptr @one, ptr @other
  %p = getelementptr i32, ptr %out, i32 %x
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = icmp eq i32 %b, 0
  br i1 %first, label %calls, label %end
calls:
  call void %f(ptr %p)
  br label %end
end:
  ret void
}
define internal void @one(ptr %p) noinline {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %x, ptr %p
  ret void
}
define internal void @other(ptr %p) noinline {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %twice = mul i32 %x, 2
  store i32 %twice, ptr %p
  ret void
}
define ptx_kernel void @tries(ptr %out, ptr %in, i32 %n) {
entry:
  %c = icmp sgt i32 %n, 3
  %f = select i1 %c, ptr @few.barrier, ptr @few.none
  call void %f(ptr %out, i64 1)
  ret void
}
define internal void @few.barrier(ptr %p, i64 %i) noinline {
  call void @llvm.nvvm.barrier.n(i32 1)
  ret void
}
define internal void @few.none(ptr %p, i64 %i) noinline {
  ret void
}
define ptx_kernel void @waits(ptr %out, ptr %in, i32 %n) {
entry:
  %c = icmp sgt i32 %n, 3
  %i = select i1 %c, i64 0, i64 1
  %at = getelementptr ptr, ptr addrspace(1) @many, i64 %i
  %f = load ptr, ptr addrspace(1) %at
  call void %f(ptr %out, i32 1)
  ret void
}
@many = internal addrspace(1) global [5 x ptr] [ptr @barrier, ptr @none, ptr @a, ptr @b, ptr @d]
define internal void @a(ptr %p, i32 %i) noinline {
  ret void
}
define internal void @b(ptr %p, i32 %i) noinline {
  store i32 %i, ptr %p
  ret void
}
define internal void @d(ptr %p, i32 %i) noinline {
  store i32 2, ptr %p
  ret void
}
define internal void @barrier(ptr %p, i32 %i) noinline {
  call void @llvm.nvvm.barrier.n(i32 %i)
  ret void
}
define internal void @none(ptr %p, i32 %i) noinline {
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.n(i32)
