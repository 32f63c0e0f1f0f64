; What orders threads: fences, scopes, loops that wait, updates whose result nobody uses. In the checked build the marker of
; functions for one block makes their operations reach the block only; in others it goes without a trace.
; RUN: %passes --checked --only=narrowScopes,checkAccesses,nameCheckSites | %check
; RUN: %passes --only=narrowScopes,checkAccesses,nameCheckSites | %check --check-prefix=USUAL --allow-unused-prefixes=true
; USUAL-NOT: hw_scope_of_block
; USUAL-NOT: syncscope("block")
declare void @hw_scope_of_block()

; CHECK-LABEL: define i32 @wide(
; CHECK: call void @hw_check_access(ptr %p, i64 4, i32 65543, ptr @{{.+}}, i64 0)
; CHECK-NEXT: atomicrmw add ptr %p, i32 1 monotonic
define i32 @wide(ptr %p) {
  %old = atomicrmw add ptr %p, i32 1 monotonic
  ret i32 %old
}

; CHECK-LABEL: define void @unused(
; CHECK: call void @hw_check_access(ptr %p, i64 4, i32 66055, ptr @{{.+}}, i64 0)
; CHECK: call void @hw_check_access(ptr %f, i64 4, i32 1051143, ptr @{{.+}}, i64 0)
define void @unused(ptr %p, ptr %f) {
  %old = atomicrmw add ptr %p, i32 1 monotonic
  %sum = atomicrmw fadd ptr %f, float 1.0 monotonic
  ret void
}

; CHECK-LABEL: define i32 @narrow(
; CHECK-NOT: hw_scope_of_block
; CHECK: call void @hw_check_access(ptr %p, i64 4, i32 65607, ptr @{{.+}}, i64 0)
; CHECK-NEXT: atomicrmw add ptr %p, i32 1 syncscope("block") monotonic
; CHECK: call void @hw_check_access(ptr null, i64 0, i32 116, ptr @{{.+}}, i64 0)
; CHECK-NEXT: fence syncscope("block") acq_rel
define i32 @narrow(ptr %p) {
  call void @hw_scope_of_block()
  %old = atomicrmw add ptr %p, i32 1 monotonic
  fence acq_rel
  ret i32 %old
}

; The compiler's own fences order nothing for others.
; CHECK-LABEL: define void @own(
; CHECK-NOT: hw_check_access
; CHECK: ret void
define void @own() {
  fence syncscope("singlethread") seq_cst
  ret void
}

; CHECK-LABEL: define void @waits(
; CHECK: call void @hw_check_access(ptr %flag, i64 4, i32 8201, ptr @{{.+}}, i64 0)
; CHECK-NEXT: load volatile i32, ptr %flag
define void @waits(ptr %flag) {
entry:
  br label %again
again:
  %value = load volatile i32, ptr %flag
  %is = icmp eq i32 %value, 0
  br i1 %is, label %again, label %end
end:
  ret void
}

; A loop over an array waits for nobody.
; CHECK-LABEL: define void @walks(
; CHECK: call void @hw_check_access(ptr %place, i64 4, i32 9, ptr @{{.+}}, i64 0)
define void @walks(ptr %array) {
entry:
  br label %again
again:
  %i = phi i64 [ 0, %entry ], [ %next, %again ]
  %place = getelementptr i32, ptr %array, i64 %i
  %value = load volatile i32, ptr %place
  %next = add i64 %i, 1
  %is = icmp eq i32 %value, 0
  br i1 %is, label %again, label %end
end:
  ret void
}

; CHECK-LABEL: define i32 @mode(
; CHECK: call i32 @hw_check_async_mode()
; USUAL-LABEL: define i32 @mode(
; USUAL-NEXT: ret i32 0
declare i32 @hw_check_async_mode()
define i32 @mode() {
  %mode = call i32 @hw_check_async_mode()
  ret i32 %mode
}
