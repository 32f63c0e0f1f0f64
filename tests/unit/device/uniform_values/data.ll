; What follows from the thread's place differs; what follows from arguments does not. Memory may have changed between two
; threads' reads, unless it is invariant.
; RUN: %passes --analysis=uniform | %check
; CHECK-LABEL: function data
; CHECK-DAG: %common: uniform
; CHECK-DAG: %mine: varying
; CHECK-DAG: %address: varying
; CHECK-DAG: %read: varying
; CHECK-DAG: %parameter: uniform
; CHECK-DAG: %local: varying
; CHECK-DAG: %changed: varying
; CHECK-NOT: parts threads
define void @data(i32 %thread, i32 %n, ptr %p) {
  %common = add i32 %n, 1
  %mine = mul i32 %common, %thread
  %address = getelementptr i32, ptr %p, i32 %mine
  %read = load i32, ptr %p
  %parameter = load i32, ptr %p, !invariant.load !0
  %local = alloca i32
  %changed = atomicrmw add ptr %p, i32 1 monotonic
  ret void
}
!0 = !{}
