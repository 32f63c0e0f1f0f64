; Where the block's shape is known, so is whether its warps are whole. What cooperative groups ask, which lanes there are,
; has one answer then: the mask is a constant, nobody parts, and warps go through the shuffles as one vector. The lanes'
; sources follow from their numbers.
; RUN: %forms k block=64 grid=2 | %check --check-prefix=SAME
; RUN: %forms k block=16,4 | %check --check-prefix=SAME
; RUN: %forms k block=40 | %check --check-prefix=SAME
; RUN: %passes --until=makeThreadLoops | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline

; CHECK-LABEL: define internal void @__hwd_shaped_block.k(
; CHECK: call i32 @hw_lanes_shuffle.i32(

@text = private constant [24 x i8] c"hostwarp.expected_block\00"
@file = private constant [2 x i8] c"f\00"
@of.64 = private constant { i32, i32, i32, i32 } { i32 64, i32 1, i32 1, i32 0 }
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @k, ptr @text, ptr @file, i32 1, ptr @of.64 }], section "llvm.metadata"
declare i32 @hw_read_laneid()
declare i32 @hw_read_warpid()
declare i32 @hw_read_linear_thread()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.ctpop.i32(i32)
declare i64 @hw_shuffle(i32, i32, i64, i32, i32, ptr)

define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %h = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %threads = mul i32 %w, %h
  %t = call i32 @hw_read_linear_thread()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %b, %threads
  %g = add i32 %base, %t
  %in.g = getelementptr i32, ptr %in, i32 %g
  %out.g = getelementptr i32, ptr %out, i32 %g
  %lane = call i32 @hw_read_laneid()
  %warp = call i32 @hw_read_warpid()
  %first = shl i32 %warp, 5
  %left = sub i32 %threads, %first
  %isWhole = icmp ugt i32 %left, 31
  %above = shl i32 -1, %left
  %few = xor i32 %above, -1
  %lanes = select i1 %isWhole, i32 -1, i32 %few
  %v = load i32, ptr %in.g
  %v.wide = zext i32 %v to i64
  %count = call i32 @llvm.ctpop.i32(i32 %lanes)
  %areAll = icmp eq i32 %count, 32
  br i1 %areAll, label %all, label %some
all:
  %far = xor i32 %lane, 16
  %bit = shl i32 1, %far
  %has = and i32 %lanes, %bit
  %isNot = icmp eq i32 %has, 0
  %from = select i1 %isNot, i32 %lane, i32 %far
  %x.wide = call i64 @hw_shuffle(i32 %lanes, i32 0, i64 %v.wide, i32 %from, i32 32, ptr null)
  %x = trunc i64 %x.wide to i32
  %x3 = mul i32 %x, 3
  %sum = add i32 %x3, %v
  %low = and i32 %lane, 24
  %sum.wide = zext i32 %sum to i64
  %y.wide = call i64 @hw_shuffle(i32 %lanes, i32 0, i64 %sum.wide, i32 %low, i32 32, ptr null)
  %y = trunc i64 %y.wide to i32
  %r = xor i32 %y, %sum
  store i32 %r, ptr %out.g
  ret void
some:
  %next = add i32 %lane, 1
  %z.wide = call i64 @hw_shuffle(i32 %lanes, i32 1, i64 %v.wide, i32 1, i32 32, ptr null)
  %z = trunc i64 %z.wide to i32
  %q = add i32 %z, %next
  store i32 %q, ptr %out.g
  ret void
}
