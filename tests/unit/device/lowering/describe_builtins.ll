; Code to step through has threadIdx and its kin as variables of each function that has a place in the source, found through
; hw_thread; units that told of lines only tell of variables then. Entries go by no kernel's name.
; RUN: %passes --debug --only=collectKernels,describeBuiltins,makeKernelEntries | %check
; RUN: %passes --only=collectKernels,describeBuiltins,makeKernelEntries | %check --check-prefix=USUAL
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"

; CHECK-LABEL: define void @k(
; CHECK: %self.slot = alloca ptr
; CHECK: [[SELF:%.*]] = call ptr @hw_self()
; CHECK: store ptr [[SELF]], ptr %self.slot
; CHECK-DAG: dbg_declare(ptr %self.slot, ![[THREAD:[0-9]+]], !DIExpression(DW_OP_deref, DW_OP_plus_uconst, 0)
; CHECK-DAG: dbg_declare(ptr %self.slot, ![[BLOCK:[0-9]+]], !DIExpression(DW_OP_deref, DW_OP_plus_uconst, 16)
; CHECK-DAG: dbg_declare(ptr %self.slot, ![[DIM:[0-9]+]], !DIExpression(DW_OP_deref, DW_OP_plus_uconst, 32)
; CHECK-DAG: dbg_declare(ptr %self.slot, ![[GRID:[0-9]+]], !DIExpression(DW_OP_deref, DW_OP_plus_uconst, 48)
; CHECK-DAG: dbg_value(i32 32, ![[WARP:[0-9]+]], !DIExpression()
; USUAL-LABEL: define void @k(
; USUAL-NOT: hw_self
define void @k() !dbg !5 {
  ret void, !dbg !8
}

; CHECK-LABEL: define void @without_place(
; CHECK-NOT: hw_self
; CHECK: ret void
define void @without_place() {
  ret void
}

; CHECK: define internal void @__hwd_entry.k(ptr noalias %0) #{{[0-9]+}} {
; USUAL: define internal void @__hwd_entry.k(ptr noalias %0) #{{[0-9]+}} !dbg

; CHECK-DAG: emissionKind: FullDebug
; CHECK-DAG: ![[THREAD]] = !DILocalVariable(name: "threadIdx"
; CHECK-DAG: ![[BLOCK]] = !DILocalVariable(name: "blockIdx"
; CHECK-DAG: ![[DIM]] = !DILocalVariable(name: "blockDim"
; CHECK-DAG: ![[GRID]] = !DILocalVariable(name: "gridDim"
; CHECK-DAG: ![[WARP]] = !DILocalVariable(name: "warpSize"
; CHECK-NOT: LineTablesOnly
; USUAL: emissionKind: LineTablesOnly

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!nvvm.annotations = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, isOptimized: true, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "app.cu", directory: "/tmp")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{ptr @k, !"kernel", i32 1}
!5 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 3, type: !6, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DISubroutineType(types: !7)
!7 = !{}
!8 = !DILocation(line: 4, scope: !5)
