; What all threads read from one place before they do anything else is read once, at the start, and is the same for all: they
; come to the same barrier. What is read behind a store, an atomic access or a branch stays where it is.
; RUN: %forms k block=64 grid=3 n=5 | %check --check-prefix=SAME
; RUN: %forms k block=9,3 grid=2 | %check --check-prefix=SAME
; RUN: %forms behind block=64 grid=2 n=5 | %check --check-prefix=SAME
; RUN: %passes --until=makeThreadLoops | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline

; CHECK-LABEL: define internal void @__hwd_block.k(
; CHECK-NEXT: block:
; CHECK-NOT: {{^[a-z_0-9]+:}}
; CHECK: %[[V:.+]] = load i32, ptr %{{.+}}, align 4{{$}}
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %in.b = getelementptr i32, ptr %in, i32 %b
  %v = load i32, ptr %in.b
  %out.g = call ptr @own(ptr %out)
  %in.g = call ptr @own(ptr %in)
  %mine = load i32, ptr %in.g
  %odd = and i32 %v, 1
  %isOdd = icmp ne i32 %odd, 0
  br i1 %isOdd, label %one, label %other
one:
  store i32 %mine, ptr %out.g
  call void @llvm.nvvm.barrier0()
  %again = load i32, ptr %out.g
  br label %end
other:
  store i32 %n, ptr %out.g
  call void @llvm.nvvm.barrier0()
  %sum = add i32 %v, %mine
  br label %end
end:
  %result = phi i32 [ %again, %one ], [ %sum, %other ]
  %more = add i32 %result, %v
  store i32 %more, ptr %out.g
  ret void
}

; CHECK-LABEL: define internal void @__hwd_block.behind(
; CHECK-NEXT: block:
; CHECK-NOT: load i32, ptr %{{.+}}, align 4{{$}}
; CHECK: {{^[a-z_0-9]+:}}
define ptx_kernel void @behind(ptr %out, ptr %in, i32 %n) {
  %out.g = call ptr @own(ptr %out)
  store i32 %n, ptr %out.g
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %in.b = getelementptr i32, ptr %in, i32 %b
  %v = load i32, ptr %in.b
  call void @llvm.nvvm.barrier0()
  store i32 %v, ptr %out.g
  ret void
}

; CHECK-LABEL: define internal void @__hwd_block.atomic(
; CHECK-NEXT: block:
; CHECK-NOT: load {{.*}}i32, ptr %{{.+}}, align 4{{$}}
; CHECK: {{^[a-z_0-9]+:}}
define ptx_kernel void @atomic(ptr %out, ptr %in, i32 %n) {
  %ready = load atomic i32, ptr %in acquire, align 4
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %in.b = getelementptr i32, ptr %in, i32 %b
  %v = load i32, ptr %in.b
  call void @llvm.nvvm.barrier0()
  %out.g = call ptr @own(ptr %out)
  %sum = add i32 %v, %ready
  store i32 %sum, ptr %out.g
  ret void
}

; own() is the thread's element of the array.
define internal ptr @own(ptr %array) alwaysinline {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %h = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %row = mul i32 %y, %w
  %t = add i32 %row, %x
  %area = mul i32 %w, %h
  %base = mul i32 %b, %area
  %g = add i32 %base, %t
  %at = getelementptr i32, ptr %array, i32 %g
  ret ptr %at
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier0()
