; Barriers with a number that are for all threads of a block of the expected shape are __syncthreads() there: loops go over
; the whole block, and no warp takes turns. Not so where they are for fewer, or where some threads do not come by: the
; block would go on without them, and nobody would hear of it.
; RUN: %forms all block=64 grid=2 | %check --check-prefix=SAME
; RUN: %forms all block=16,4 | %check --check-prefix=SAME
; RUN: %forms half block=64 grid=2 | %check --check-prefix=SAME
; RUN: %forms parting block=64 | %check --check-prefix=SAME
; RUN: %passes --until=makeThreadLoops | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline

; CHECK-LABEL: define internal void @__hwd_shaped_block.all(
; CHECK-NOT: hw_open_waits
; CHECK: ret void
; CHECK-LABEL: define internal void @__hwd_shaped_block.half(
; CHECK: call i32 @hw_open_waits(
; CHECK-LABEL: define internal void @__hwd_shaped_block.parting(
; CHECK: call i32 @hw_open_waits(
; CHECK-LABEL: define internal void @__hwd_shaped_block.few(
; CHECK: call i32 @hw_open_waits(

@s = internal addrspace(3) global [128 x i32] undef, align 4
@text = private constant [24 x i8] c"hostwarp.expected_block\00"
@file = private constant [2 x i8] c"f\00"
@of.64 = private constant { i32, i32, i32, i32 } { i32 64, i32 1, i32 1, i32 0 }
@llvm.global.annotations = appending global [4 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @all, ptr @text, ptr @file, i32 1, ptr @of.64 },
  { ptr, ptr, ptr, i32, ptr } { ptr @half, ptr @text, ptr @file, i32 1, ptr @of.64 },
  { ptr, ptr, ptr, i32, ptr } { ptr @parting, ptr @text, ptr @file, i32 1, ptr @of.64 },
  { ptr, ptr, ptr, i32, ptr } { ptr @few, ptr @text, ptr @file, i32 1, ptr @of.64 }], section "llvm.metadata"
declare void @hw_barrier(i32, i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

; exchange(): threads read what others of the block wrote, thirty times.
define void @exchange(ptr %out, ptr %in, i32 %number, i32 %count, i32 %others, i32 %mask) alwaysinline {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %before = mul i32 %y, %w
  %t = add i32 %before, %x
  %base = shl i32 %b, 6
  %g = add i32 %base, %t
  %out.g = getelementptr i32, ptr %out, i32 %g
  %in.g = getelementptr i32, ptr %in, i32 %g
  %mine = getelementptr i32, ptr addrspace(3) @s, i32 %t
  %t.other = xor i32 %t, %mask
  %other = getelementptr i32, ptr addrspace(3) @s, i32 %t.other
  %v = load i32, ptr %in.g
  br label %loop
loop:
  %turn = phi i32 [ 0, %entry ], [ %turn.next, %loop ]
  %u = phi i32 [ %v, %entry ], [ %u.next, %loop ]
  store i32 %u, ptr addrspace(3) %mine
  call void @hw_barrier(i32 %number, i32 %count)
  %got = load i32, ptr addrspace(3) %other
  %got3 = mul i32 %got, 3
  %u.next = add i32 %got3, %turn
  call void @hw_barrier(i32 %others, i32 %count)
  %turn.next = add i32 %turn, 1
  %more = icmp ult i32 %turn.next, 30
  br i1 %more, label %loop, label %done
done:
  store i32 %u.next, ptr %out.g
  ret void
}

define ptx_kernel void @all(ptr %out, ptr %in, i32 %n) {
  call void @exchange(ptr %out, ptr %in, i32 1, i32 64, i32 7, i32 63)
  ret void
}

; Each half has a barrier of its own.
define ptx_kernel void @half(ptr %out, ptr %in, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %number = lshr i32 %x, 5
  %one = add i32 %number, 1
  call void @exchange(ptr %out, ptr %in, i32 %one, i32 32, i32 %one, i32 31)
  ret void
}

; The second half ends. A barrier without a count is for those that are left.
define ptx_kernel void @parting(ptr %out, ptr %in, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ends = icmp ugt i32 %x, 31
  br i1 %ends, label %done, label %stays
stays:
  call void @exchange(ptr %out, ptr %in, i32 3, i32 0, i32 3, i32 31)
  br label %done
done:
  ret void
}

; Both halves come to the same barrier, which is for one of them at a time. It is not run: where each thread comes by itself,
; threads of both may make up the number.
define ptx_kernel void @few(ptr %out, ptr %in, i32 %n) {
  call void @exchange(ptr %out, ptr %in, i32 1, i32 32, i32 2, i32 31)
  ret void
}
