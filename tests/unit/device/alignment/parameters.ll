; Where a parameter decides, the threads' entry looks before the access, outside of the loop around it; a block entry looks
; first of all, and leaves the block to its threads.
; RUN: %passes --until=checkParameters | %check
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @__hwd_entry.k(
; CHECK: and i64 %{{.+}}, 7
; CHECK: br i1 %{{.+}}, label %[[BAD:.+]], label
; CHECK: [[BAD]]:
; CHECK-NEXT: call void @hw_misaligned(i64 %{{.+}}, i32 8)
; CHECK-NEXT: unreachable
; CHECK: phi
; CHECK-NOT: hw_misaligned
; CHECK: ret void

; CHECK-LABEL: define internal void @__hwd_block.k(
; CHECK: %[[SLOT:.+]] = load ptr, ptr %{{.+}}, {{.*}}!invariant.load
; CHECK: %[[P:.+]] = load i64, ptr %[[SLOT]], {{.*}}!invariant.load
; CHECK: %[[REST:.+]] = and i64 %[[P]], 7
; CHECK: %[[WRONG:.+]] = icmp ne i64 %[[REST]], 0
; CHECK: br i1 %[[WRONG]], label %[[THREADS:.+]], label
; CHECK: [[THREADS]]:
; CHECK-NEXT: call void @hw_run_thread_by_thread()
; CHECK-NEXT: unreachable
; CHECK-NOT: hw_misaligned
; CHECK: ret void
define ptx_kernel void @k(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i64, ptr %p, i32 %i
  %old = load volatile i64, ptr %a, align 8
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
