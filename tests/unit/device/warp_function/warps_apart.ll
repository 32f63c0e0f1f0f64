; Where a block is one row, the quotient of the index, and whether it is below a whole number of warps, are the same for
; all threads of a warp: warps that go different ways leave their threads together, and what these have in common, such
; as a loop's counter, has one slot per warp.
; RUN: %forms k block=128 grid=2 n=600 | %check --check-prefix=SAME
; RUN: %forms k block=100 n=600 | %check --check-prefix=SAME
; RUN: %forms k block=16,8 n=600 | %check --check-prefix=SAME
; RUN: %passes --until=makeThreadLoops | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline

; CHECK-LABEL: define internal void @__hwd_block.k(
; CHECK-LABEL: define internal void @__hwd_shaped_block.k(
; CHECK: add i32 %{{.+}}, %common.reg2mem

@text = private constant [24 x i8] c"hostwarp.expected_block\00"
@file = private constant [2 x i8] c"f\00"
@of.128 = private constant { i32, i32, i32, i32 } { i32 128, i32 1, i32 1, i32 0 }
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @k, ptr @text, ptr @file, i32 1, ptr @of.128 }], section "llvm.metadata"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i64 @hw_shuffle(i32, i32, i64, i32, i32, ptr)
declare void @llvm.nvvm.barrier0()

define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %h = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %threads = mul i32 %w, %h
  %row = mul i32 %y, %w
  %t = add i32 %row, %x
  %base = mul i32 %b, %threads
  %g = add i32 %base, %t
  %warp = lshr i32 %x, 5
  %is.first = icmp ult i32 %x, 32
  %is.some = icmp ult i32 %x, 48
  %is.last = icmp ugt i32 %x, 95
  %start = select i1 %is.some, i32 7, i32 %warp
  %other.start = select i1 %is.last, i32 11, i32 %start
  br label %loop
loop:
  %i = phi i32 [ %x, %entry ], [ %next, %loop ]
  %sum = phi i32 [ %other.start, %entry ], [ %sum.next, %loop ]
  %in.i = getelementptr i32, ptr %in, i32 %i
  %v = load i32, ptr %in.i
  %sum.next = add i32 %sum, %v
  %next = add i32 %i, 128
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %left
left:
  fence seq_cst
  call void @llvm.nvvm.barrier0()
  br i1 %is.first, label %first, label %joined
first:
  %wide = zext i32 %sum.next to i64
  %other = call i64 @hw_shuffle(i32 -1, i32 0, i64 %wide, i32 3, i32 32, ptr null)
  %of.other = trunc i64 %other to i32
  br label %joined
joined:
  %mine = phi i32 [ %of.other, %first ], [ %sum.next, %left ]
  call void @llvm.nvvm.barrier0()
  br label %again
again:
  %k = phi i32 [ %x, %joined ], [ %k.next, %again ]
  %total = phi i32 [ %mine, %joined ], [ %total.next, %again ]
  %in.k = getelementptr i32, ptr %in, i32 %k
  %u = load i32, ptr %in.k
  %total.next = add i32 %total, %u
  %k.next = add i32 %k, 128
  %k.more = icmp slt i32 %k.next, %n
  br i1 %k.more, label %again, label %end
end:
  %out.g = getelementptr i32, ptr %out, i32 %g
  store i32 %total.next, ptr %out.g
  ret void
}
