; Host functions that device code calls name themselves and give zero, in memory too; what never returns traps. Others
; stay as they are.
; RUN: %passes --only=leaveOutHostFunctions | %check

; CHECK-LABEL: define internal i32 @_Z5valuei(i32 %0)
; CHECK: call void @hw_host_function_called(ptr @[[NAME:.+]])
; CHECK: ret i32 0
declare i32 @_Z5valuei(i32) #0

; CHECK-LABEL: define internal void @_Z6objectv(
; CHECK: call void @hw_host_function_called
; CHECK: call void @llvm.memset.p0.i64(ptr %0, i8 0, i64 24, i1 false)
; CHECK: ret void
declare void @_Z6objectv(ptr sret([3 x i64])) #0

; CHECK-LABEL: define internal void @_Z3endv()
; CHECK: call void @hw_host_function_called
; CHECK: call void @llvm.trap()
; CHECK-NEXT: unreachable
declare void @_Z3endv() #1

; CHECK: declare void @_Z6devicev()
declare void @_Z6devicev()

define void @k(ptr %o) {
  %v = call i32 @_Z5valuei(i32 1)
  call void @_Z6objectv(ptr %o)
  call void @_Z3endv()
  call void @_Z6devicev()
  ret void
}
attributes #0 = { "dontcall-warn"="hostwarp.host" }
attributes #1 = { noreturn "dontcall-warn"="hostwarp.host" }
