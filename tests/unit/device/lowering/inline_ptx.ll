; Inline PTX becomes IR; what is not known, or not PTX, is an error at its line.
; RUN: not %passes --only=collectKernels,lowerInlinePtx 2>%t.err | %check
; RUN: %check --check-prefix=ERROR --input-file=%t.err

; CHECK-LABEL: define ptx_kernel void @k(
; CHECK-NOT: add.u32
; CHECK: %sum = call i32 @[[STATEMENT:[a-z.0-9]+]](i32 %a)
; CHECK: store i32 %sum, ptr %p
; CHECK: define internal i32 @[[STATEMENT]](i32
; CHECK: add i32 %{{.+}}, 5
; One number is accessed as such, and no vector of one element.
; CHECK: define internal i32 @{{[a-z.0-9]+}}(i64
; CHECK: %[[FROM:.+]] = inttoptr i64
; CHECK: load i32, ptr %[[FROM]]
; CHECK: define internal void @{{[a-z.0-9]+}}(i64
; CHECK: %[[TO:.+]] = inttoptr i64
; CHECK: store volatile i32 %{{.+}}, ptr %[[TO]]
define ptx_kernel void @k(ptr %p, i32 %a) !dbg !9 {
  %sum = call i32 asm "add.u32 $0, $1, 5;", "=r,r"(i32 %a)
  store i32 %sum, ptr %p
  %at = ptrtoint ptr %p to i64
  %loaded = call i32 asm "ld.global.cg.u32 $0, [$1];", "=r,l"(i64 %at)
  call void asm sideeffect "st.global.cg.u32 [$0], $1;", "l,r"(i64 %at, i32 %loaded)
; ERROR: x.cu:42: error: inline PTX: {{.*}}frobnicate
  call void asm sideeffect "frobnicate.u32 %r0;", ""(), !dbg !10
  ret void
}
!llvm.dbg.cu = !{!5}
!llvm.module.flags = !{!7}
!5 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !6, emissionKind: FullDebug)
!6 = !DIFile(filename: "x.cu", directory: ".")
!7 = !{i32 2, !"Debug Info Version", i32 3}
!8 = !DISubroutineType(types: !{})
!9 = distinct !DISubprogram(name: "k", file: !6, line: 40, type: !8, unit: !5, spFlags: DISPFlagDefinition)
!10 = !DILocation(line: 42, scope: !9)
