; Reads of members of threadIdx and its kin are reads of special registers; whoever takes the address of one, or reads it
; otherwise, sees a copy. The address is no constant.
; RUN: not %passes --only=readBuiltinVariables 2>%t.err | %check
; RUN: %check --check-prefix=ERROR --input-file=%t.err
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
@threadIdx = external addrspace(1) global { i32, i32, i32 }, align 4
@gridDim = external addrspace(1) global { i32, i32, i32 }, align 4
@blockIdx = external addrspace(1) global { i32, i32, i32 }, align 4

; CHECK-NOT: @threadIdx =
; CHECK-LABEL: define i32 @members(
; CHECK-NOT: alloca
; CHECK-DAG: call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK-DAG: call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
; CHECK-DAG: call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
; CHECK-NOT: load
; CHECK: ret i32
define i32 @members() {
  %x = load i32, ptr addrspacecast (ptr addrspace(1) @threadIdx to ptr), align 4
  %z = load i32, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @threadIdx, i64 8), align 4
  %y = load i32, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @gridDim, i64 4), align 4
  %a = add i32 %x, %y
  %b = add i32 %a, %z
  ret i32 %b
}
; CHECK-LABEL: define void @address(
; CHECK: %[[COPY:.+]] = alloca [3 x i32]
; CHECK-DAG: call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK-DAG: call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
; CHECK-DAG: call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
; CHECK: call void @use(ptr %[[COPY]])
define void @address() {
  call void @use(ptr addrspacecast (ptr addrspace(1) @threadIdx to ptr))
  ret void
}
; ERROR: source.cu: error: the address of blockIdx is no constant
@kept = global ptr addrspace(1) @blockIdx
declare void @use(ptr)
