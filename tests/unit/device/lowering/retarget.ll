; The host's triple and layout; nothing of NVPTX's is left, while what protects stacks and profilers is there.
; RUN: %passes --only=retarget | %check
; RUN: %passes --only=retarget | %check --check-prefix=GONE --implicit-check-not=ptx_kernel --implicit-check-not=sm_80 --implicit-check-not=nvvm.annotations --implicit-check-not=llvm.ident --implicit-check-not=llvm.used
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@llvm.used = appending global [1 x ptr] [ptr @k], section "llvm.metadata"

; CHECK: target datalayout = "e-m:e-p270:32:32
; CHECK: target triple = "x86_64
; CHECK-LABEL: define dso_local void @k(
; CHECK-SAME: #[[KERNEL:[0-9]+]]
; CHECK: call void @f()
; GONE-LABEL: define dso_local void @k
define ptx_kernel void @k() #0 {
  call ptx_device void @f()
  ret void
}
declare ptx_device void @f() #0

; CHECK: attributes #[[KERNEL]] = {
; CHECK-SAME: nounwind
; An access to address 0 faults: it is no licence to drop code.
; CHECK-SAME: null_pointer_is_valid
; CHECK-SAME: uwtable
; CHECK-SAME: "disable-tail-calls"="true"
; CHECK-SAME: "probe-stack"="inline-asm"
attributes #0 = { "target-cpu"="sm_80" "target-features"="+ptx80,+sm_80" "frame-pointer"="all" }

; CHECK: !"PIC Level"
!nvvm.annotations = !{!0}
!llvm.ident = !{!1}
!0 = !{ptr @k, !"kernel", i32 1}
!1 = !{!"clang"}
