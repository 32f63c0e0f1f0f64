; A kernel whose memory lies along y has loops in which y runs fastest, where the block has enough threads in that
; direction; and none where rows are as good, or where the order of threads could be told.
; RUN: %passes --until=makeThreadLoops | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()

; out[x * n + y] = in[x * n + y] + first[x]
; CHECK-LABEL: define internal void @__hwd_block.along_y(
; CHECK: %[[PAYS:.*]] = icmp uge i32 %{{.*}}, 8
; CHECK: br i1 %[[PAYS]], label %columns, label %rows
; CHECK: rows:
; CHECK: columns:
; CHECK: column:
; CHECK: %x{{[0-9]+}} = phi i32
; CHECK: %y{{[0-9]+}} = phi i32
; CHECK: store float
define ptx_kernel void @along_y(ptr %out, ptr %in, ptr %first, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %row = mul i32 %x, %n
  %i = add i32 %row, %y
  %wide = sext i32 %i to i64
  %from = getelementptr float, ptr %in, i64 %wide
  %v = load float, ptr %from
  %place = getelementptr float, ptr %first, i32 %x
  %f = load float, ptr %place
  %sum = fadd float %v, %f
  %to = getelementptr float, ptr %out, i64 %wide
  store float %sum, ptr %to
  ret void
}

; out[y * n + x] = ...
; CHECK-LABEL: define internal void @__hwd_block.along_x(
; CHECK-NOT: %columns
define ptx_kernel void @along_x(ptr %out, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %row = mul i32 %y, %n
  %i = add i32 %row, %x
  %to = getelementptr float, ptr %out, i32 %i
  store float 1.0, ptr %to
  ret void
}

; A transposition has no better direction.
; CHECK-LABEL: define internal void @__hwd_block.transposes(
; CHECK-NOT: %columns
define ptx_kernel void @transposes(ptr %out, ptr %in, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %row = mul i32 %y, %n
  %i = add i32 %row, %x
  %column = mul i32 %x, %n
  %j = add i32 %column, %y
  %from = getelementptr float, ptr %in, i32 %i
  %v = load float, ptr %from
  %to = getelementptr float, ptr %out, i32 %j
  store float %v, ptr %to
  ret void
}

; All threads of a column write to one address: who writes last can be told.
; CHECK-LABEL: define internal void @__hwd_block.last_wins(
; CHECK-NOT: %columns
define ptx_kernel void @last_wins(ptr %out, ptr %in, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %row = mul i32 %x, %n
  %i = add i32 %row, %y
  %from = getelementptr float, ptr %in, i32 %i
  %v = load float, ptr %from
  %to = getelementptr float, ptr %out, i32 %row
  store float %v, ptr %to
  ret void
}

; So can it where threads of a row may share an address.
; CHECK-LABEL: define internal void @__hwd_block.wraps(
; CHECK-NOT: %columns
define ptx_kernel void @wraps(ptr %out, ptr %in, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %row = mul i32 %x, %n
  %i = add i32 %row, %y
  %from = getelementptr float, ptr %in, i32 %i
  %v = load float, ptr %from
  %few = and i32 %x, 3
  %shared = mul i32 %few, %n
  %j = add i32 %shared, %y
  %to = getelementptr float, ptr %out, i32 %j
  store float %v, ptr %to
  ret void
}

; And where the row that they write to has a limit.
; CHECK-LABEL: define internal void @__hwd_block.limits(
; CHECK-NOT: %columns
define ptx_kernel void @limits(ptr %out, ptr %in, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %row = mul i32 %x, %n
  %i = add i32 %row, %y
  %from = getelementptr float, ptr %in, i32 %i
  %v = load float, ptr %from
  %few = call i32 @llvm.umin.i32(i32 %x, i32 7)
  %limited = mul i32 %few, %n
  %j = add i32 %limited, %y
  %to = getelementptr float, ptr %out, i32 %j
  store float %v, ptr %to
  ret void
}
declare i32 @llvm.umin.i32(i32, i32)

; So can the order of atomic operations.
; CHECK-LABEL: define internal void @__hwd_block.counts(
; CHECK-NOT: %columns
define ptx_kernel void @counts(ptr %out, ptr %in, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %row = mul i32 %x, %n
  %i = add i32 %row, %y
  %from = getelementptr float, ptr %in, i32 %i
  %v = load float, ptr %from
  %old = atomicrmw fadd ptr %out, float %v monotonic
  ret void
}

; A loop's number may be named before the value that it begins with.
; CHECK-LABEL: define internal void @__hwd_block.loops(
; CHECK: br i1 %{{.*}}, label %columns, label %rows
define ptx_kernel void @loops(ptr %out, ptr %in, i32 %n) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %row = mul i32 %x, %n
  %i = add i32 %row, %y
  br label %again
again:
  %at = phi i32 [ %next, %again ], [ %i, %0 ]
  %turn = phi i32 [ %turned, %again ], [ 0, %0 ]
  %from = getelementptr float, ptr %in, i32 %at
  %v = load float, ptr %from
  %to = getelementptr float, ptr %out, i32 %at
  store float %v, ptr %to
  %next = add i32 %at, 4096
  %turned = add i32 %turn, 1
  %more = icmp slt i32 %turned, %n
  br i1 %more, label %again, label %done
done:
  ret void
}
