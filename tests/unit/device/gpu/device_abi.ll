; The device ABI's functions become the GPU's instructions; of a thread's description nothing is left but what is read.
; RUN: %hwcc-device --gpu=sm_90 --libdevice=none -o %t && %check < %t
; RUN: %hwcc-device --gpu=sm_70:ptx70 --libdevice=none -o %t && %check --check-prefix=OLD < %t
target triple = "nvptx64-nvidia-cuda"

declare ptr @hw_self()
declare void @hw_barrier(i32, i32)
declare i64 @hw_shuffle(i32, i32, i64, i32, i32, ptr)
declare i32 @hw_vote(i32, i32, i32)
declare i32 @hw_warp_reduce(i32, i32, i32)
declare i64 @hw_special_register(i32)
declare void @hw_trap()
declare i32 @vprintf(ptr, ptr)

; OLD: .version 7.0
; OLD: .target sm_70

; A 32-bit value is exchanged at once.
; CHECK-LABEL: .entry collectives(
; CHECK-NOT: .local
; CHECK: %ctaid.x
; CHECK: barrier.sync
; CHECK: shfl.sync.bfly.b32
; CHECK-NOT: shfl
; CHECK: vote.sync.ballot.b32
; CHECK: redux.sync.add.u32
; CHECK: ret;
; OLD-LABEL: .entry collectives(
; OLD-NOT: redux
; OLD: ret;
define void @collectives(ptr %out, i32 %v) convergent {
  %self = call ptr @hw_self()
  %at = getelementptr i8, ptr %self, i64 16
  %block = load i32, ptr %at
  call void @hw_barrier(i32 0, i32 0)
  %wide = zext i32 %v to i64
  %other = call i64 @hw_shuffle(i32 -1, i32 3, i64 %wide, i32 1, i32 32, ptr null)
  %narrow = trunc i64 %other to i32
  %yes = call i32 @hw_vote(i32 -1, i32 3, i32 %narrow)
  %sum = call i32 @hw_warp_reduce(i32 -1, i32 0, i32 %yes)
  %all = add i32 %sum, %block
  store i32 %all, ptr %out
  ret void
}

; CHECK-LABEL: .entry rest(
; CHECK: %cluster_ctarank
; CHECK: vprintf
; CHECK: trap;
; OLD-LABEL: .entry rest(
; OLD-NOT: cluster
; OLD: vprintf
define void @rest(ptr %format) convergent {
  %memory = alloca i32
  %rank = call i64 @hw_special_register(i32 20)
  %narrow = trunc i64 %rank to i32
  store i32 %narrow, ptr %memory
  %n = call i32 @vprintf(ptr %format, ptr %memory)
  call void @hw_trap()
  unreachable
}

; Fences are PTX's, also those that an atomic operation implies, and inline PTX stays as it is.
; CHECK-LABEL: .entry plain(
; CHECK: fence.sc.sys;
; CHECK: fence.acq_rel.sys;
; CHECK: cp.async.wait_all;
; CHECK: fence.acq_rel.sys;
; CHECK: atom{{.*}}add.u32
; CHECK-NOT: fence
; CHECK: atom{{.*}}exch
; CHECK: fence.acq_rel.sys;
define void @plain(ptr %x) convergent {
  fence seq_cst
  fence acq_rel
  call void asm sideeffect "cp.async.wait_all;", "~{memory}"()
  %a = atomicrmw add ptr %x, i32 1 release
  %b = atomicrmw xchg ptr %x, i32 %a acquire
  store i32 %b, ptr %x
  ret void
}

!nvvm.annotations = !{!0, !1, !2}
!0 = !{ptr @collectives, !"kernel", i32 1}
!1 = !{ptr @rest, !"kernel", i32 1}
!2 = !{ptr @plain, !"kernel", i32 1}
