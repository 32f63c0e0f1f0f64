; Local variables are aligned for the widest access that fits into them, 16 bytes at most; not for less than they say.
; RUN: %passes --only=alignLocalVariables | %check
; CHECK: %a = alloca [4 x float], align 16
; CHECK: %b = alloca [3 x i32], align 8
; CHECK: %c = alloca i8, align 1
; CHECK: %d = alloca [100 x i8], align 16
; CHECK: %e = alloca [2 x i64], align 64
; CHECK: %f = alloca float, i32 %n, align 16
define void @k(i32 %n) {
  %a = alloca [4 x float], align 4
  %b = alloca [3 x i32], align 4
  %c = alloca i8, align 1
  %d = alloca [100 x i8], align 1
  %e = alloca [2 x i64], align 64
  %f = alloca float, i32 %n, align 4
  ret void
}
