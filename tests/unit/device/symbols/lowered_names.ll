; NVRTC's name expressions: the symbols behind the pointers, which leave nothing in the object.
; RUN: %hwcc-device --lowered-names=%t.names --emit-llvm -o %t.ll
; RUN: %check --check-prefix=NAMES --input-file=%t.names
; RUN: %check --input-file=%t.ll
; NAMES: 0 _Z1kIiEvv
; NAMES-NEXT: 1 _ZN1n1vE
; CHECK-NOT: __hw_lowered_name
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@__hw_lowered_name_0 = constant ptr @_Z1kIiEvv
@__hw_lowered_name_1 = constant ptr addrspacecast (ptr addrspace(1) @_ZN1n1vE to ptr)
@_ZN1n1vE = addrspace(1) externally_initialized global i32 0
@llvm.used = appending global [1 x ptr] [ptr @__hw_lowered_name_0], section "llvm.metadata"
define ptx_kernel void @_Z1kIiEvv() { ret void }
