; Asynchronous operations tell the checked build of what they do and of who waits; in others that leaves no trace.
; RUN: %passes --checked --only=lowerInlinePtx,checkAccesses,nameCheckSites | %check
; RUN: %passes --only=lowerInlinePtx | %check --check-prefix=USUAL --allow-unused-prefixes=true
; USUAL-NOT: hw_check_
; USUAL-LABEL: define void @copy(

; The library says what it touches: nobody has to be told that something goes unseen, which is trait 16384 alone.
; CHECK-NOT: i32 16384, ptr @
; CHECK-DAG: call void @hw_check_async(ptr null, i64 0, i32 9, ptr @{{.+}})
; CHECK-DAG: call void @hw_check_async(ptr null, i64 3, i32 10, ptr @{{.+}})
; CHECK-DAG: call void @hw_check_async(ptr null, i64 1, i32 13, ptr @{{.+}})
; CHECK-DAG: call i32 @hw_check_async_mode()
; CHECK-DAG: call void @hw_check_later(
define void @copy(i32 %to, ptr %from, i32 %barrier) {
  call void asm sideeffect "cp.async.ca.shared.global [$0], [$1], 4;", "r,l,~{memory}"(i32 %to, ptr %from)
  call void asm sideeffect "cp.async.commit_group;", "~{memory}"()
  call void asm sideeffect "cp.async.wait_group 3;", "~{memory}"()
  call void asm sideeffect "cp.async.bulk.wait_group.read 1;", "~{memory}"()
  call void asm sideeffect "mbarrier.init.shared.b64 [$0], 1;", "r,~{memory}"(i32 %barrier)
  ret void
}
