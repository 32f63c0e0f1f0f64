; In the checked build a loop that does not wait tells of its reads in all turns before the first one.
; RUN: %passes --checked --until=simplify | %check
; RUN: %passes --in-place --until=simplify | %check --check-prefix=PLACE
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; Two reads of a loop: one goes on by 4 bytes, one is of the same place each time.
; CHECK-LABEL: define internal void @__hwd_entry.sum(
; CHECK: call void @hw_check_reads(ptr %{{.+}}, i64 4, i32 1, ptr {{.+}}, i64 %{{.+}}, i64 4)
; CHECK: call void @hw_check_reads(ptr %{{.+}}, i64 4, i32 1, ptr {{.+}}, i64 %{{.+}}, i64 0)
; CHECK-NOT: call void @hw_check_access
; CHECK: call void @hw_check_access(ptr %{{.+}}, i64 4, i32 258,
define ptx_kernel void @sum(ptr %p, ptr %q, i64 %n) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %sum, %loop ]
  %at = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %at
  %w = load i32, ptr %q
  %product = mul i32 %v, %w
  %sum = add i32 %s, %product
  %next = add nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  %all = phi i32 [ 0, %entry ], [ %sum, %loop ]
  store i32 %all, ptr %q
  ret void
}

; So does one that writes, which it tells of where it does; but not where somebody asks what has been written by then.
; CHECK-LABEL: define internal void @__hwd_entry.writes(
; CHECK: call void @hw_check_reads(ptr %{{.+}}, i64 4, i32 1, ptr {{.+}}, i64 %{{.+}}, i64 4)
; CHECK: loop{{.*}}:
; CHECK: call void @hw_check_access(ptr %{{.+}}, i64 4, i32 258,
; PLACE-LABEL: define internal void @__hwd_entry.writes(
; PLACE-NOT: call void @hw_check_reads
; PLACE: loop{{.*}}:
; PLACE: call void @hw_check_access(ptr %{{.+}}, i64 4, i32 1,
; PLACE: call void @hw_check_access(ptr %{{.+}}, i64 4, i32 258,
; PLACE-LABEL: define internal void @__hwd_entry.searches(
define ptx_kernel void @writes(ptr %p, ptr %q, i64 %n) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %at
  %to = getelementptr i32, ptr %q, i64 %i
  store i32 %v, ptr %to
  %next = add nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; One that reads volatile memory, or leaves early, tells of each access where it is made.
; CHECK-LABEL: define internal void @__hwd_entry.searches(
; CHECK-NOT: call void @hw_check_reads
define ptx_kernel void @searches(ptr %p, ptr %q, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %left ]
  %at = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %at
  %found = icmp eq i32 %v, 7
  br i1 %found, label %end, label %left
left:
  %next = add nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  %where = phi i64 [ %i, %loop ], [ %next, %left ]
  store i64 %where, ptr %q
  ret void
}

; CHECK-LABEL: define internal void @__hwd_entry.polls(
; CHECK-NOT: call void @hw_check_reads
define ptx_kernel void @polls(ptr %p, ptr %q, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %sum, %loop ]
  %v = load volatile i32, ptr %p
  %sum = add i32 %s, %v
  %next = add nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  store i32 %sum, ptr %q
  ret void
}
