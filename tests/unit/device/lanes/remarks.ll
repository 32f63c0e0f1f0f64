; What becomes of a loop over threads is told at its first line, and what is looked up one by one at the line of the access.
; RUN: %passes --only=vectoriseThreadLoops --pass-remarks=hostwarp --pass-remarks-missed=hostwarp --pass-remarks-analysis=hostwarp 2>&1 | %check

; CHECK-DAG: a.cu:7:3: remark: kernel 'taken': 16 threads at a time [-Rpass=hostwarp]
; CHECK-DAG: a.cu:8:5: remark: kernel 'taken': whether elements are side by side is looked at while it runs [-Rpass-analysis=hostwarp]
; CHECK-DAG: a.cu:21:3: remark: kernel 'kept': no vectors of its threads: a store has no vector form [-Rpass-missed=hostwarp]
define void @__hwd_block.taken.avx512(ptr %args, ptr %frame, ptr %x, ptr %y, i64 %n) #0 !dbg !5 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %thread ]
  %px = getelementptr inbounds float, ptr %x, i64 %t, !dbg !7
  %v = load float, ptr %px, !dbg !7
  %a = fdiv float 1.0, %v, !dbg !7
  %b = fdiv float %a, %v, !dbg !7
  %c = fdiv float %b, %v, !dbg !7
  %place = and i64 %t, %n, !dbg !8
  %py = getelementptr inbounds float, ptr %y, i64 %place, !dbg !8
  store float %c, ptr %py, !dbg !8
  %next = add nuw nsw i64 %t, 1
  %end = icmp eq i64 %next, 256
  br i1 %end, label %done, label %thread, !llvm.loop !0
done:
  ret void
}

define void @__hwd_block.kept.avx512(ptr %args, ptr %frame, ptr %x, ptr %y, i64 %n) #0 !dbg !9 {
entry:
  br label %thread
thread:
  %t = phi i64 [ 0, %entry ], [ %next, %thread ]
  %px = getelementptr inbounds float, ptr %x, i64 %t, !dbg !10
  %v = load float, ptr %px, !dbg !10
  %py = getelementptr inbounds float, ptr %y, i64 %t, !dbg !10
  store volatile float %v, ptr %py, !dbg !10
  %next = add nuw nsw i64 %t, 1
  %end = icmp eq i64 %next, 256
  br i1 %end, label %done, label %thread, !llvm.loop !0
done:
  ret void
}

attributes #0 = { "hostwarp-runs-block" "target-cpu"="x86-64-v4" }
!llvm.dbg.cu = !{!3}
!llvm.module.flags = !{!2}
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.thread_loop"}
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !4, emissionKind: LineTablesOnly)
!4 = !DIFile(filename: "a.cu", directory: "/")
!5 = distinct !DISubprogram(name: "taken", file: !4, line: 5, type: !6, unit: !3, spFlags: DISPFlagDefinition)
!6 = !DISubroutineType(types: !11)
!7 = !DILocation(line: 7, column: 3, scope: !5)
!8 = !DILocation(line: 8, column: 5, scope: !5)
!9 = distinct !DISubprogram(name: "kept", file: !4, line: 20, type: !6, unit: !3, spFlags: DISPFlagDefinition)
!10 = !DILocation(line: 21, column: 3, scope: !9)
!11 = !{}
