; A structure by value that a thread only reads is read where the launch has it, as aligned as it is there; one that the thread
; changes, or whose address it hands on, is copied.
; RUN: %passes --until=readParametersInPlace | %check
; RUN: %passes --until=makeThreadLoops | %check --check-prefix=BLOCK
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
%struct = type { [8 x i32], i32 }

; All threads of a block read the same there.
; BLOCK-LABEL: define internal void @__hwd_block.reads(
; BLOCK: load i32, ptr %{{.+}}, align 4, !invariant.load
; BLOCK: load i32, ptr %{{.+}}, align 4, !invariant.load
; BLOCK: row:
; CHECK-LABEL: define internal void @__hwd_entry.reads(
; CHECK-NOT: alloca
; CHECK-NOT: memcpy
; CHECK: load i32, ptr %{{.+}}, align 4
; CHECK: ret void
define ptx_kernel void @reads(ptr byval(%struct) align 4 %s, ptr %out) {
  %at = getelementptr inbounds %struct, ptr %s, i64 0, i32 1
  %i = load i32, ptr %at, align 4
  %masked = and i32 %i, 7
  %wide = zext i32 %masked to i64
  %from = getelementptr inbounds [8 x i32], ptr %s, i64 0, i64 %wide
  %v = load i32, ptr %from, align 4
  store i32 %v, ptr %out
  ret void
}
; CHECK-LABEL: define internal void @__hwd_entry.changes(
; CHECK: alloca
; CHECK: memcpy
; CHECK: ret void
define ptx_kernel void @changes(ptr byval(%struct) align 4 %s, ptr %out, i64 %n) {
  %to = getelementptr inbounds [8 x i32], ptr %s, i64 0, i64 %n
  store i32 7, ptr %to
  %last = getelementptr inbounds [8 x i32], ptr %s, i64 0, i64 3
  %v = load i32, ptr %last, align 4
  store i32 %v, ptr %out
  ret void
}
; CHECK-LABEL: define internal void @__hwd_entry.handsOn(
; CHECK: alloca
; CHECK: memcpy
; CHECK: ret void
define ptx_kernel void @handsOn(ptr byval(%struct) align 4 %s, ptr %out) {
  %n = call i32 @vprintf(ptr %out, ptr %s)
  ret void
}
declare i32 @vprintf(ptr, ptr)
