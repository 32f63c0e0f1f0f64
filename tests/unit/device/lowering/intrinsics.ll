; Intrinsics become calls of the device ABI with the same meaning; of those without a counterpart the user hears.
; RUN: not %passes --only=lowerIntrinsics 2>%t.err | %check
; RUN: %check --check-prefix=ERROR --input-file=%t.err

; CHECK-LABEL: define void @barriers(
; CHECK: call void @hw_barrier(i32 0, i32 0)
; CHECK: call void @hw_barrier(i32 %id, i32 0)
; CHECK: call void @hw_barrier(i32 %id, i32 %count)
; CHECK: call i32 @hw_barrier_reduce(i32 0, i32 0, i32 1, i32 %p)
; CHECK: call i32 @hw_barrier_reduce(i32 0, i32 0, i32 0, i32 %p)
; CHECK: call i32 @hw_barrier_reduce(i32 0, i32 0, i32 2, i32 %p)
; CHECK: call void @hw_syncwarp(i32 %mask)
; CHECK: fence seq_cst
; CHECK: call void @hw_exit_thread()
define void @barriers(i32 %id, i32 %count, i32 %p, i32 %mask) {
  call void @llvm.nvvm.barrier0()
  call void @llvm.nvvm.barrier.n(i32 %id)
  call void @llvm.nvvm.barrier(i32 %id, i32 %count)
  %all = call i32 @llvm.nvvm.barrier0.and(i32 %p)
  %count0 = call i32 @llvm.nvvm.barrier0.popc(i32 %p)
  %any = call i32 @llvm.nvvm.barrier0.or(i32 %p)
  %sum = add i32 %all, %count0
  %sum2 = add i32 %sum, %any
  call void @llvm.nvvm.bar.warp.sync(i32 %mask)
  call void @llvm.nvvm.membar.gl()
  call void @llvm.nvvm.exit()
  unreachable
}

; The clamp operand of PTX holds the segment mask in bits 8 to 12: 0x181f is width 8.
; CHECK-LABEL: define float @shuffles(
; CHECK: %[[WIDE:.+]] = zext i32 %v to i64
; CHECK: call i64 @hw_shuffle(i32 -1, i32 3, i64 %[[WIDE]], i32 1, i32 8, ptr null)
; CHECK: call i64 @hw_shuffle(i32 %mask, i32 1,
; CHECK: call i64 @hw_shuffle(i32 %mask, i32 2,
; CHECK: %[[BITS:.+]] = bitcast float %f to i32
; CHECK: %[[FLOAT:.+]] = zext i32 %[[BITS]] to i64
; CHECK: call i64 @hw_shuffle(i32 -1, i32 0, i64 %[[FLOAT]], i32 %v, i32 32, ptr null)
define float @shuffles(i32 %mask, i32 %v, float %f) {
  %a = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %v, i32 1, i32 6175)
  %b = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 %mask, i32 %a, i32 2, i32 0)
  %c = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 %mask, i32 %b, i32 2, i32 31)
  %d = call float @llvm.nvvm.shfl.sync.idx.f32(i32 -1, float %f, i32 %v, i32 31)
  %e = sitofp i32 %c to float
  %r = fadd float %d, %e
  ret float %r
}

; CHECK-LABEL: define i32 @votes(
; CHECK: call i32 @hw_vote(i32 %mask, i32 0, i32 %{{.+}})
; CHECK: call i32 @hw_vote(i32 %mask, i32 1,
; CHECK: call i32 @hw_vote(i32 %mask, i32 2,
; CHECK: call i32 @hw_vote(i32 %mask, i32 3,
; CHECK: call i32 @hw_activemask()
define i32 @votes(i32 %mask, i1 %p) {
  %all = call i1 @llvm.nvvm.vote.all.sync(i32 %mask, i1 %p)
  %any = call i1 @llvm.nvvm.vote.any.sync(i32 %mask, i1 %all)
  %uni = call i1 @llvm.nvvm.vote.uni.sync(i32 %mask, i1 %any)
  %ballot = call i32 @llvm.nvvm.vote.ballot.sync(i32 %mask, i1 %uni)
  %active = call i32 @llvm.nvvm.activemask()
  %r = and i32 %ballot, %active
  ret i32 %r
}

; CHECK-LABEL: define i64 @registers(
; CHECK: call i64 @hw_special_register(i32 0)
; CHECK: call i64 @hw_special_register(i32 4)
; CHECK: call i64 @hw_special_register(i32 5)
; CHECK: zext i32 32 to i64
define i64 @registers() {
  %sm = call i32 @llvm.nvvm.read.ptx.sreg.smid()
  %clock = call i64 @llvm.nvvm.read.ptx.sreg.clock64()
  %timer = call i64 @llvm.nvvm.read.ptx.sreg.globaltimer()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.warpsize()
  %a = zext i32 %sm to i64
  %b = zext i32 %size to i64
  %c = add i64 %a, %b
  %d = add i64 %c, %clock
  %e = add i64 %d, %timer
  ret i64 %e
}

; ERROR: source.cu: error: no CPU counterpart for llvm.nvvm.read.ptx.sreg.envreg3
define i32 @unknown() {
  %r = call i32 @llvm.nvvm.read.ptx.sreg.envreg3()
  ret i32 %r
}
declare void @llvm.nvvm.barrier0()
declare void @llvm.nvvm.barrier.n(i32)
declare void @llvm.nvvm.barrier(i32, i32)
declare i32 @llvm.nvvm.barrier0.and(i32)
declare i32 @llvm.nvvm.barrier0.popc(i32)
declare i32 @llvm.nvvm.barrier0.or(i32)
declare void @llvm.nvvm.bar.warp.sync(i32)
declare void @llvm.nvvm.membar.gl()
declare void @llvm.nvvm.exit()
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.up.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare float @llvm.nvvm.shfl.sync.idx.f32(i32, float, i32, i32)
declare i1 @llvm.nvvm.vote.all.sync(i32, i1)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare i1 @llvm.nvvm.vote.uni.sync(i32, i1)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i32 @llvm.nvvm.activemask()
declare i32 @llvm.nvvm.read.ptx.sreg.smid()
declare i64 @llvm.nvvm.read.ptx.sreg.clock64()
declare i64 @llvm.nvvm.read.ptx.sreg.globaltimer()
declare i32 @llvm.nvvm.read.ptx.sreg.warpsize()
declare i32 @llvm.nvvm.read.ptx.sreg.envreg3()
