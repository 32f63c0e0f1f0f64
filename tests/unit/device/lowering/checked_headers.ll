; Functions of the headers, which have no lines of their own, become part of the program's with what they call: what is
; handed to them by reference is known to be a local variable, and nobody is told of it.
; RUN: %passes --checked --only=checkAccesses | %check

; CHECK-LABEL: define i16 @user(
; CHECK-NOT: hw_check_
; CHECK-NOT: call i16 @negative(
; CHECK: xor i16 %{{.+}}, -32768
; CHECK: call i16 @least(
; CHECK: ret i16
define i16 @user(i16 %a) !dbg !4 {
  %number = alloca i16
  store i16 %a, ptr %number
  %n = call i16 @negative(ptr %number), !dbg !6
  %l = call i16 @kept(i16 %n), !dbg !6
  ret i16 %l
}

; Elsewhere it may be anything.
; CHECK-LABEL: define i16 @bits(
; CHECK: call void @hw_check_access(
define i16 @negative(ptr %number) {
  %r = call i16 @bits(ptr %number)
  %x = xor i16 %r, -32768
  ret i16 %x
}
define i16 @bits(ptr %number) {
  %b = load i16, ptr %number
  ret i16 %b
}

; What has branches stays a function further down.
define i16 @kept(i16 %a) {
  %l = call i16 @least(i16 %a)
  ret i16 %l
}
define i16 @least(i16 %a) {
  %is = icmp slt i16 %a, 0
  br i1 %is, label %less, label %more
less:
  ret i16 0
more:
  ret i16 %a
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "user.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !5)
!4 = distinct !DISubprogram(name: "user", scope: !1, file: !1, line: 5, type: !3, unit: !0)
!5 = !{null}
!6 = !DILocation(line: 7, scope: !4)
