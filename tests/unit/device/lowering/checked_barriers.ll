; Where only barriers of the block order a kernel's accesses, and its atomic updates come to the same in any order, the accesses
; say so (32768), and, where there are none, that nobody leaves before one (134217728). That atomic accesses order nothing
; (268435456) holds where lanes meet, too.
; RUN: %passes --checked --until=nameCheckSites | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Updates are sums (65536), and nobody looks at the results (512).
; CHECK-LABEL: define internal void @__hwd_entry.sums(
; CHECK: call void @hw_check_access(ptr {{.+}}, i64 4, i32 402686210,
; CHECK: call void @hw_check_access(ptr {{.+}}, i64 4, i32 402752007,
define ptx_kernel void @sums(ptr %p, ptr %q) {
  store i32 1, ptr %p
  %old = atomicrmw add ptr %q, i32 1 monotonic
  ret void
}

; CHECK-LABEL: define internal void @__hwd_entry.kinds(
; CHECK: call void @hw_check_access(ptr {{.+}}, i64 4, i32 66055,
define ptx_kernel void @kinds(ptr %p, ptr %q) {
  %old = atomicrmw add ptr %q, i32 1 monotonic
  %most = atomicrmw umax ptr %p, i32 1 monotonic
  ret void
}

; Different kinds are for places of their own.
; CHECK-LABEL: define internal void @__hwd_entry.apart(
; CHECK: call void @hw_check_access(ptr {{.+}}, i64 4, i32 402752007,
; CHECK: call void @hw_check_access(ptr {{.+}}, i64 4, i32 403145223,
define ptx_kernel void @apart(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 4
  %old = atomicrmw add ptr %q, i32 1 monotonic
  %most = atomicrmw umax ptr %p, i32 1 monotonic
  ret void
}

; Exchanges come to the same in any order if all are for one constant (10: 1), even once they have become stores.
; CHECK-LABEL: define internal void @__hwd_entry.exchange(
; CHECK: call void @hw_check_access(ptr {{.+}}, i64 4, i32 519,
define ptx_kernel void @exchange(ptr %p, i32 %v) {
  %old = atomicrmw xchg ptr %p, i32 %v monotonic
  ret void
}
; CHECK-LABEL: define internal void @__hwd_entry.exchange_for_one(
; CHECK: call void @hw_check_access(ptr {{.+}}, i64 4, i32 403341831,
define ptx_kernel void @exchange_for_one(ptr %p) {
  %old = atomicrmw xchg ptr %p, i32 1 monotonic
  ret void
}

; CHECK-LABEL: define internal void @__hwd_entry.used(
; CHECK: call void @hw_check_access(ptr {{.+}}, i64 4, i32 65543,
define ptx_kernel void @used(ptr %p, ptr %q) {
  %old = atomicrmw add ptr %q, i32 1 monotonic
  store i32 %old, ptr %p
  ret void
}

; CHECK-LABEL: define internal void @__hwd_entry.fence(
; CHECK: call void @hw_check_access(ptr {{.+}}, i64 4, i32 258,
define ptx_kernel void @fence(ptr %p) {
  store i32 1, ptr %p
  fence seq_cst
  ret void
}

; Where there are barriers, a thread may leave before one.
declare void @llvm.nvvm.barrier0()
; CHECK-LABEL: define internal void @__hwd_entry.meets(
; CHECK: call void @hw_check_access(ptr {{.+}}, i64 4, i32 268468482,
define ptx_kernel void @meets(ptr %p) {
  store i32 1, ptr %p
  call void @llvm.nvvm.barrier0()
  ret void
}

; CHECK-LABEL: define internal void @__hwd_entry.exchanges(
; CHECK: call void @hw_check_access(ptr {{.+}}, i64 4, i32 268501511,
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
define ptx_kernel void @exchanges(ptr %p, i32 %v) {
  %s = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %v, i32 1, i32 31)
  %old = atomicrmw add ptr %p, i32 %s monotonic
  ret void
}

; Where lanes meet, volatile accesses are looked at.
; CHECK-LABEL: define internal void @__hwd_entry.volatile_and_meets(
; CHECK: call void @hw_check_access(ptr {{.+}}, i64 4, i32 266,
define ptx_kernel void @volatile_and_meets(ptr %p) {
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  store volatile i32 1, ptr %p
  ret void
}
declare void @llvm.nvvm.bar.warp.sync(i32)

; Volatile accesses order nothing where nobody waits for them, nor do the places where lanes only keep step for them.
; CHECK-LABEL: define internal void @__hwd_entry.keeps_step(
; CHECK: call void @hw_syncwarp(i32 0)
; CHECK: call void @hw_check_access(ptr {{.+}}, i64 4, i32 268468490,
; CHECK: call void @hw_barrier(
; CHECK: call void @hw_check_access(ptr {{.+}}, i64 4, i32 268468233,
define ptx_kernel void @keeps_step(ptr %p, ptr %q) {
  store volatile i32 1, ptr %p
  call void @llvm.nvvm.barrier0()
  %v = load volatile i32, ptr %p
  store i32 %v, ptr %q
  ret void
}

; A thread waits.
; CHECK-LABEL: define internal void @__hwd_entry.polls(
; CHECK: call void @hw_check_access(ptr {{.+}}, i64 4, i32 8201,
define ptx_kernel void @polls(ptr %p) {
  br label %loop
loop:
  %v = load volatile i32, ptr %p
  %more = icmp eq i32 %v, 0
  br i1 %more, label %loop, label %end
end:
  ret void
}
