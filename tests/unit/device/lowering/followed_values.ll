; The checked build that follows values: what was never written has a shadow, which goes along with it.
; RUN: %passes --followed --only=markUnwritten,checkAccesses,followValues,nameCheckSites | %check
; RUN: %passes --checked --only=markUnwritten,checkAccesses,followValues,nameCheckSites | %check --check-prefix=USUAL --allow-unused-prefixes=true
; USUAL-NOT: hw_value_

target triple = "x86_64-pc-linux-gnu"

; The variable is a register, whose first value was never written.
; CHECK-LABEL: define i32 @chosen(
; CHECK: call void @hw_value_unwritten(ptr @{{.+}}, i64 4)
; CHECK: load i32, ptr %retval_shadow
; CHECK: br i1 %{{.+}}, label %[[TOLD:.+]], label %{{.+}}, !prof
; CHECK: [[TOLD]]:
; CHECK-NEXT: call void @hw_check_value(i32 %{{.+}}, i32 0, ptr @{{.+}})
define i32 @chosen(i1 %given, i32 %value) {
  %variable = alloca i32
  br i1 %given, label %yes, label %end
yes:
  store i32 %value, ptr %variable
  br label %end
end:
  %got = load i32, ptr %variable
  ret i32 %got
}

; One that is always written before it is read costs nothing.
; CHECK-LABEL: define i32 @written(
; CHECK-NOT: hw_value_unwritten
; CHECK: ret i32
define i32 @written(i32 %value) {
  %variable = alloca i32
  store i32 %value, ptr %variable
  %got = load i32, ptr %variable
  ret i32 %got
}

; An array stays memory. What is stored and loaded takes its shadow along; the address is looked at.
; CHECK-LABEL: define i32 @array(
; CHECK: call void @hw_value_begin_variable(ptr %{{.+}}, i64 32, ptr @{{.+}})
; CHECK: call void @hw_check_value(i32 %{{.+}}, i32 1, ptr @{{.+}})
; CHECK: call { ptr, ptr } @hw_value_store_metadata(ptr %at, i64 4)
; CHECK: call { ptr, ptr } @hw_value_load_metadata(ptr %{{.+}}, i64 4)
define i32 @array(i64 %i, i32 %value) {
  %array = alloca [8 x i32]
  %at = getelementptr [8 x i32], ptr %array, i64 0, i64 %i
  store i32 %value, ptr %at
  %first = load i32, ptr %array
  ret i32 %first
}

; The calls that look at accesses have no shadow of their own.
; CHECK-LABEL: define void @access(
; CHECK: call void @hw_check_access(ptr %p, i64 4, i32 258, ptr @{{.+}}, i64 %{{.+}})
; CHECK-NOT: store {{.+}} ptr %_msarg
; CHECK: store i32 %value, ptr %p
define void @access(ptr %p, i32 %value) {
  store i32 %value, ptr %p
  ret void
}
