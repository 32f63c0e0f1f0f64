; In the checked build functions that allocate, free and launch are told where they are called. Other
; builds call them as they are.
; RUN: %passes --checked --only=checkAccesses,nameCheckSites | %check
; RUN: %passes --only=checkAccesses,nameCheckSites | %check --check-prefix=USUAL --allow-unused-prefixes=true
; USUAL-NOT: hw_check
; What <new> calls is called where the program asks <new>.
; CHECK-NOT: c"operator new\00"
; CHECK: @[[NEW:.+]] = private {{.*}}{ ptr @{{.+}}, ptr @{{.+}}, i32 7, i32 0,
; CHECK-NEXT: @[[SITE:.+]] = private {{.*}}{ ptr @[[NEW]], i32 1, i32 0,
; CHECK-NOT: c"operator new\00"
; CHECK: @[[NINE:.+]] = private {{.*}}{ ptr @{{.+}}, ptr @{{.+}}, i32 9, i32 0,
; CHECK-NEXT: @[[OTHER:.+]] = private {{.*}}{ ptr @[[NINE]], i32 1, i32 1,
; CHECK-LABEL: define void @user(
; CHECK: [[MEMORY:%.+]] = call ptr @hw_check_malloc(i64 %n, ptr @[[SITE]])
; CHECK-NEXT: call ptr @hw_check_malloc_aligned(i64 %n, i64 64, ptr @[[OTHER]])
; CHECK-NEXT: call void @hw_check_free(ptr [[MEMORY]], ptr @[[OTHER]])
; CHECK-NEXT: call void @hw_check_start_launch(ptr %p, ptr %p, i64 0, ptr %p, ptr @[[OTHER]])
; CHECK-NEXT: call i32 @hw_check_launch_buffer(ptr %p, ptr %p, ptr %p, ptr %p, i64 0, ptr %p, ptr @[[OTHER]])
; CHECK-NEXT: call i32 @hw_check_launch_configured_buffer(ptr %p, ptr %p, ptr @[[OTHER]])
define void @user(i64 %n, ptr %p) !dbg !4 {
  %m = call ptr @hw_malloc(i64 %n), !dbg !8
  %a = call ptr @hw_malloc_aligned(i64 %n, i64 64), !dbg !10
  call void @hw_free(ptr %m), !dbg !10
  call void @hw_start_launch(ptr %p, ptr %p, i64 0, ptr %p), !dbg !10
  %x = call i32 @hw_launch_buffer(ptr %p, ptr %p, ptr %p, ptr %p, i64 0, ptr %p), !dbg !10
  %y = call i32 @hw_launch_configured_buffer(ptr %p, ptr %p), !dbg !10
  ret void
}
declare ptr @hw_malloc(i64)
declare ptr @hw_malloc_aligned(i64, i64)
declare void @hw_free(ptr)
declare void @hw_start_launch(ptr, ptr, i64, ptr)
declare i32 @hw_launch_buffer(ptr, ptr, ptr, ptr, i64, ptr)
declare i32 @hw_launch_configured_buffer(ptr, ptr)
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "user.cu", directory: "/")
!2 = !DIFile(filename: "include/new", directory: "/")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "user", scope: !1, file: !1, line: 5, type: !6, unit: !0)
!5 = distinct !DISubprogram(name: "operator new", scope: !2, file: !2, line: 48, type: !6, unit: !0)
!6 = !DISubroutineType(types: !7)
!7 = !{null}
!8 = !DILocation(line: 48, scope: !5, inlinedAt: !9)
!9 = distinct !DILocation(line: 7, scope: !4)
!10 = !DILocation(line: 9, scope: !4)
