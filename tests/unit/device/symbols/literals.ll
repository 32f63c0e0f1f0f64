; Constants whose addresses code stores or hands on are memory of the device to the host; what is only read is not, nor
; what only the runtime sees.
; RUN: %passes --only=collectVariables,collectLiterals | %check
@stored = private unnamed_addr constant [4 x i8] c"abc\00"
@handed_on = private unnamed_addr constant [4 x i8] c"def\00"
@read = private unnamed_addr constant [4 x i32] zeroinitializer
@printed = private unnamed_addr constant [4 x i8] c"ghi\00"
@changed = internal global i32 0
; CHECK: @stored = private constant
; CHECK: @handed_on = private constant
; CHECK: @read = private unnamed_addr constant
; CHECK: @printed = private unnamed_addr constant
; CHECK-COUNT-2: ; variable : device
; CHECK-NOT: ; variable
define i32 @f(ptr %p, i32 %i) {
  store ptr @stored, ptr %p
  call void @use(ptr getelementptr (i8, ptr @handed_on, i64 1))
  %e = getelementptr i32, ptr @read, i32 %i
  %v = load i32, ptr %e
  %n = call i32 @hw_vprintf(ptr @printed, ptr null)
  store ptr @changed, ptr %p
  ret i32 %v
}
declare void @use(ptr)
declare i32 @hw_vprintf(ptr, ptr)
