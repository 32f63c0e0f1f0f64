; A warp is 32 threads that follow each other, in a block of short rows several of these: it goes through shuffles as one
; vector all the same. The thread's number that the program puts together from x, y and z is the number that it is, and
; elements of eight lanes at a time may be side by side. Some lanes of a row do nothing; warps that are not whole, or go from
; one plane into the next in the middle, go region by region.
; RUN: %forms k block=16,4 grid=2 | %check --check-prefix=SAME
; RUN: %forms k block=16,2,4 n=11 | %check --check-prefix=SAME
; RUN: %forms k block=8,8,2 n=7 | %check --check-prefix=SAME
; RUN: %forms k block=1,70 | %check --check-prefix=SAME
; RUN: %forms k block=16,3,2 n=13 | %check --check-prefix=SAME
; RUN: %forms k block=24,4 | %check --check-prefix=SAME
; RUN: %passes --until=makeThreadLoops | %check
; RUN: %passes --until=simplifyThreadLoops | %check --check-prefix=SIMPLE
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline

; Two loops in which warps are vectors: of a row, and of rows.
; CHECK-LABEL: define internal void @__hwd_block.k(
; CHECK-DAG: !llvm.loop ![[ROW:[0-9]+]]
; CHECK-DAG: "hostwarp.short_rows"

; Where the kernel does not ask for y and z, there is one.
; SIMPLE-LABEL: define internal void @__hwd_block.line(
; SIMPLE-NOT: are_rows
; In a warp of rows the number is the lane's, behind that of the first.
; SIMPLE-LABEL: define internal void @__hwd_block.k(
; SIMPLE: %are_rows = and i1
; SIMPLE: "hostwarp.short_rows"

define ptx_kernel void @line(ptr %out, ptr %in, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %x, i32 16, i32 31)
  %out.x = getelementptr i32, ptr %out, i32 %x
  store i32 %v, ptr %out.x
  ret void
}

define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %z = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %h = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
; The block's plane, and the number in it: (y + 0) * w + x, in several widths.
  %yw = mul i32 %y, %w
  %inPlane = add i32 %yw, %x
  %wh = mul i32 %w, %h
  %before = mul i32 %z, %wh
  %t = add i32 %before, %inPlane
  %threads = mul i32 %wh, %d
  %base = mul i32 %b, %threads
  %g = add i32 %base, %t
  %y.wide = zext i32 %y to i64
  %w.wide = zext i32 %w to i64
  %x.wide = zext i32 %x to i64
  %z.wide = sext i32 %z to i64
  %y.more = add i64 %y.wide, %z.wide
  %yw.wide = mul i64 %y.more, %w.wide
  %far = add i64 %yw.wide, 7
  %t.wide = add i64 %far, %x.wide
  %in.g = getelementptr i32, ptr %in, i32 %g
  %in.t = getelementptr i32, ptr %in, i64 %t.wide
; A row of an image.
  %row = mul i32 %y, 37
  %at = add i32 %row, %x
  %in.at = getelementptr i32, ptr %in, i32 %at
  %a = load i32, ptr %in.g
  %c = load i32, ptr %in.t
  %e = load i32, ptr %in.at
  %a1 = mul i32 %a, 3
  %ac = xor i32 %a1, %c
  %v = add i32 %ac, %e
  %v0 = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %v, i32 16, i32 31)
  %v1 = sub i32 %v0, %v
; The lane and the warp as programs have them.
  %lane = and i32 %inPlane, 31
  %warp = lshr i32 %inPlane, 5
  %v2 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %v1, i32 %lane, i32 31)
  %in.warp = getelementptr i32, ptr %in, i32 %warp
  %of.warp = load i32, ptr %in.warp
  %v3 = add i32 %v2, %of.warp
  %v4 = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %v3, i32 1, i32 0)
; Lanes whose row goes on do more.
  %left = icmp ult i32 %x, 5
  %odd = and i32 %y, 1
  %is.odd = icmp ne i32 %odd, 0
  %some = or i1 %left, %is.odd
  br i1 %some, label %more, label %met
more:
  %at.more = add i32 %at, 64
  %in.more = getelementptr i32, ptr %in, i32 %at.more
  %f = load i32, ptr %in.more
  %v5 = add i32 %v4, %f
  br label %met
met:
  %v6 = phi i32 [ %v4, %entry ], [ %v5, %more ]
  %v7 = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %v6, i32 2, i32 31)
  %v8 = mul i32 %v7, %n
  %out.g = getelementptr i32, ptr %out, i32 %g
  store i32 %v8, ptr %out.g
; And a store to rows that lie apart: 64 elements for each row, planes and blocks one after the other.
  %zh = mul i32 %z, %h
  %rows = mul i32 %h, %d
  %of.block = mul i32 %b, %rows
  %in.block = add i32 %zh, %y
  %line = add i32 %of.block, %in.block
  %line.at = mul i32 %line, 24
  %to = add i32 %line.at, 512
  %to.x = add i32 %to, %x
  %few = icmp ult i32 %x, 21
  br i1 %few, label %put, label %done
put:
  %out.to = getelementptr i32, ptr %out, i32 %to.x
  %v9 = xor i32 %v8, %lane
  store i32 %v9, ptr %out.to
  br label %done
done:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.up.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
