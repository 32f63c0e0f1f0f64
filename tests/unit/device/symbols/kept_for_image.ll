; Nothing refers to an entry or a variable but the image that comes last: until then they are kept.
; RUN: %passes --only=collectKernels,collectVariables,makeKernelEntries,keepForImage | %check
; CHECK: @llvm.compiler.used = appending global [2 x ptr] [ptr @__hwd_entry.k, ptr addrspacecast (ptr addrspace(1) @v to ptr)]
@v = addrspace(1) global i32 0
define ptx_kernel void @k() { ret void }
