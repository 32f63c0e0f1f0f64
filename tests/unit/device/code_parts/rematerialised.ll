; What is cheap is computed next to where it is needed, far behind: in front of a small loop, in the block of a branch.
; What is dear, needed in many places or alive there anyhow stays.
; RUN: %passes --only=rematerialiseAll | %check

declare void @other()

; CHECK-LABEL: define void @k(
; CHECK: entry:
; CHECK-NEXT: %dear = udiv i64 %bytes, 40
; CHECK-NEXT: %kept = add i64 %bytes, 8
; CHECK-NEXT: br label %b1
; CHECK: b1:
; CHECK-NEXT: getelementptr i8, ptr %x, i64 %kept
; CHECK: b40:
; CHECK-NEXT: %[[OFFSET:.+]] = mul i64 %bytes, 40
; CHECK-NEXT: %[[PLACE:.+]] = getelementptr i8, ptr %frame, i64 %[[OFFSET]]
; CHECK-NEXT: %[[ONE:.+]] = insertelement <8 x float> poison, float %v, i64 0
; CHECK-NEXT: %[[ALL:.+]] = shufflevector <8 x float> %[[ONE]], <8 x float> poison, <8 x i32> zeroinitializer
; CHECK-NEXT: br label %loop
; CHECK: loop:
; CHECK-NEXT: phi
; CHECK-NEXT: getelementptr float, ptr %[[PLACE]], i64 %i
; CHECK-NEXT: store <8 x float> %[[ALL]]
; CHECK: last:
; CHECK-NEXT: %[[SHORT:.+]] = icmp ult i64 %bytes, 100
; CHECK-NEXT: br i1 %[[SHORT]]
define void @k(ptr %x, ptr %frame, i64 %bytes, float %v) #0 {
entry:
  %offset = mul i64 %bytes, 40
  %dear = udiv i64 %bytes, 40
  %kept = add i64 %bytes, 8
  %place = getelementptr i8, ptr %frame, i64 %offset
  %short = icmp ult i64 %bytes, 100
  %one = insertelement <8 x float> poison, float %v, i64 0
  %all = shufflevector <8 x float> %one, <8 x float> poison, <8 x i32> zeroinitializer
  br label %b1
b1:
  %near = getelementptr i8, ptr %x, i64 %kept
  store i8 0, ptr %near
  call void @other()
  br label %b2
b2:
  call void @other()
  br label %b3
b3:
  call void @other()
  br label %b4
b4:
  call void @other()
  br label %b5
b5:
  call void @other()
  br label %b6
b6:
  call void @other()
  br label %b7
b7:
  call void @other()
  br label %b8
b8:
  call void @other()
  br label %b9
b9:
  call void @other()
  br label %b10
b10:
  call void @other()
  br label %b11
b11:
  call void @other()
  br label %b12
b12:
  call void @other()
  br label %b13
b13:
  call void @other()
  br label %b14
b14:
  call void @other()
  br label %b15
b15:
  call void @other()
  br label %b16
b16:
  call void @other()
  br label %b17
b17:
  call void @other()
  br label %b18
b18:
  call void @other()
  br label %b19
b19:
  call void @other()
  br label %b20
b20:
  call void @other()
  br label %b21
b21:
  call void @other()
  br label %b22
b22:
  call void @other()
  br label %b23
b23:
  call void @other()
  br label %b24
b24:
  call void @other()
  br label %b25
b25:
  call void @other()
  br label %b26
b26:
  call void @other()
  br label %b27
b27:
  call void @other()
  br label %b28
b28:
  call void @other()
  br label %b29
b29:
  call void @other()
  br label %b30
b30:
  call void @other()
  br label %b31
b31:
  call void @other()
  br label %b32
b32:
  call void @other()
  br label %b33
b33:
  call void @other()
  br label %b34
b34:
  call void @other()
  br label %b35
b35:
  call void @other()
  br label %b36
b36:
  call void @other()
  br label %b37
b37:
  call void @other()
  br label %b38
b38:
  call void @other()
  br label %b39
b39:
  call void @other()
  br label %b40
b40:
  br label %loop
loop:
  %i = phi i64 [ 0, %b40 ], [ %next, %loop ]
  %p = getelementptr float, ptr %place, i64 %i
  store <8 x float> %all, ptr %p
  %next = add i64 %i, 8
  %more = icmp ult i64 %next, %dear
  br i1 %more, label %loop, label %last
last:
  br i1 %short, label %left, label %right
left:
  call void @other()
  br label %right
right:
  ret void
}

; A value of which each copy might be another one, and one that would be copied to more than 16 places.
; CHECK-LABEL: define void @stays(
; CHECK: entry:
; CHECK-NEXT: %any = add i32 %n, undef
; CHECK-NEXT: %wide = zext i32 %n to i64
; CHECK-NEXT: br label
; CHECK-NOT: zext
; CHECK-NOT: undef
define void @stays(ptr %x, i32 %n) #0 {
entry:
  %any = add i32 %n, undef
  %wide = zext i32 %n to i64
  br label %b1
b1:
  call void @other()
  br label %b2
b2:
  call void @other()
  br label %b3
b3:
  call void @other()
  br label %b4
b4:
  call void @other()
  br label %b5
b5:
  call void @other()
  br label %b6
b6:
  call void @other()
  br label %b7
b7:
  call void @other()
  br label %b8
b8:
  call void @other()
  br label %b9
b9:
  call void @other()
  br label %b10
b10:
  call void @other()
  br label %b11
b11:
  call void @other()
  br label %b12
b12:
  call void @other()
  br label %b13
b13:
  call void @other()
  br label %b14
b14:
  call void @other()
  br label %b15
b15:
  call void @other()
  br label %b16
b16:
  call void @other()
  br label %b17
b17:
  call void @other()
  br label %b18
b18:
  call void @other()
  br label %b19
b19:
  call void @other()
  br label %b20
b20:
  call void @other()
  br label %b21
b21:
  call void @other()
  br label %b22
b22:
  call void @other()
  br label %b23
b23:
  call void @other()
  br label %b24
b24:
  call void @other()
  br label %b25
b25:
  call void @other()
  br label %b26
b26:
  call void @other()
  br label %b27
b27:
  call void @other()
  br label %b28
b28:
  call void @other()
  br label %b29
b29:
  call void @other()
  br label %b30
b30:
  call void @other()
  br label %b31
b31:
  call void @other()
  br label %b32
b32:
  call void @other()
  br label %b33
b33:
  call void @other()
  br label %b34
b34:
  call void @other()
  br label %b35
b35:
  call void @other()
  br label %b36
b36:
  call void @other()
  br label %b37
b37:
  call void @other()
  br label %b38
b38:
  call void @other()
  br label %b39
b39:
  call void @other()
  br label %b40
b40:
  store i32 %any, ptr %x
  br label %c1
c1:
  store volatile i64 %wide, ptr %x
  br label %c2
c2:
  store volatile i64 %wide, ptr %x
  br label %c3
c3:
  store volatile i64 %wide, ptr %x
  br label %c4
c4:
  store volatile i64 %wide, ptr %x
  br label %c5
c5:
  store volatile i64 %wide, ptr %x
  br label %c6
c6:
  store volatile i64 %wide, ptr %x
  br label %c7
c7:
  store volatile i64 %wide, ptr %x
  br label %c8
c8:
  store volatile i64 %wide, ptr %x
  br label %c9
c9:
  store volatile i64 %wide, ptr %x
  br label %c10
c10:
  store volatile i64 %wide, ptr %x
  br label %c11
c11:
  store volatile i64 %wide, ptr %x
  br label %c12
c12:
  store volatile i64 %wide, ptr %x
  br label %c13
c13:
  store volatile i64 %wide, ptr %x
  br label %c14
c14:
  store volatile i64 %wide, ptr %x
  br label %c15
c15:
  store volatile i64 %wide, ptr %x
  br label %c16
c16:
  store volatile i64 %wide, ptr %x
  br label %c17
c17:
  store volatile i64 %wide, ptr %x
  br label %c18
c18:
  ret void
}

attributes #0 = { "hostwarp-runs-block" }
