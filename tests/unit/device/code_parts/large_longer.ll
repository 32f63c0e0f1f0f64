; An instruction of a large function counts twice: two of three parts are for the two large functions, though the others have
; more than half of the instructions.
; RUN: awk -f %s.awk > %t.ll && %passes-of %t.ll --only=simplify --parts=3 | %check

; CHECK: ; part 0
; CHECK: define void @large{{[12]}}(
; CHECK-NOT: define
; CHECK: ; part 1
; CHECK: define void @large{{[12]}}(
; CHECK-NOT: define
; CHECK: ; part 2
; CHECK-COUNT-5: define void @other
; CHECK: ; 3 parts
