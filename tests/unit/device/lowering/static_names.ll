; With -rdc=true static kernels and variables are registered under names with the hash of the compilation's id, by which
; clang's host pass calls them; others under their own.
; RUN: %passes --rdc --only=collectKernels,collectVariables | %check
; RUN: %passes --only=collectKernels,collectVariables | %check --check-prefix=WHOLE
@_ZL1v = internal addrspace(1) global i32 0
@w = addrspace(1) global i32 0
define internal ptx_kernel void @_ZL1kv() { ret void }
define ptx_kernel void @_Z1kv() { ret void }

; CHECK: ; kernel _ZL1kv__intern__[[ID:[0-9a-f]+]]
; CHECK: ; kernel _Z1kv{{$}}
; CHECK: ; variable _ZL1v__static__[[ID]]:
; CHECK: ; variable w:
; WHOLE: ; kernel _ZL1kv{{$}}
; WHOLE: ; variable _ZL1v:
