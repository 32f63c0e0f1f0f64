; Declarations of ABI functions say what the table says, whatever the front end's did; so do their calls. Functions of the
; module itself and of libraries are none of the table's business.
; RUN: %passes --only=describeAbi | %check
define void @k(ptr %p) {
; CHECK: call void @hw_barrier(i32 0, i32 0){{$}}
  call void @hw_barrier(i32 0, i32 0) memory(none) willreturn
  %s = call ptr @hw_self()
  %m = call i32 @hw_activemask()
  %n = call i32 @hw_special_register(i32 4) memory(none)
  %x = call double @sin(double 1.0) memory(none)
  call void @hw_trap()
  ret void
}
; CHECK-DAG: declare void @hw_barrier(i32, i32) #[[CONVERGENT:[0-9]+]]
; CHECK-DAG: declare i32 @hw_activemask() #[[CONVERGENT]]
; CHECK-DAG: declare ptr @hw_self() #[[PURE:[0-9]+]]
; CHECK-DAG: declare i32 @hw_special_register(i32) #[[ANY:[0-9]+]]
; CHECK-DAG: declare void @hw_trap() #[[END:[0-9]+]]
; CHECK-DAG: declare double @sin(double){{$}}
; CHECK-DAG: attributes #[[CONVERGENT]] = { convergent nomerge nounwind }
; CHECK-DAG: attributes #[[PURE]] = { nounwind willreturn memory(none) }
; CHECK-DAG: attributes #[[ANY]] = { nounwind }
; CHECK-DAG: attributes #[[END]] = { noreturn nounwind }
declare void @hw_barrier(i32, i32) memory(none)
declare ptr @hw_self() convergent
declare i32 @hw_activemask()
declare i32 @hw_special_register(i32) memory(none)
declare void @hw_trap()
declare double @sin(double)
