; A percent sign that the clang plugin has hidden from clang ("%globaltimer", not "%%globaltimer") is one in a GPU's code.
; RUN: %hwcc-device --gpu=sm_90 --libdevice=none -o %t && %check < %t
target triple = "nvptx64-nvidia-cuda"

; CHECK: .entry now(
; CHECK: mov.u64 %rd{{[0-9]+}}, %globaltimer;
define void @now(ptr %out) {
  %time = call i64 asm sideeffect "mov.u64 $0, \02globaltimer;", "=l"()
  store i64 %time, ptr %out
  ret void
}

!nvvm.annotations = !{!0}
!0 = !{ptr @now, !"kernel", i32 1}
