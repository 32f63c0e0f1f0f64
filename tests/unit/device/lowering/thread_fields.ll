; What differs between the threads of a block is opaque until block entries are made, so that nothing is merged with what
; is alike in memory only; then it is read where it is used, and functions that read it say so.
; RUN: %passes --only=lowerIntrinsics | %check --check-prefix=OPAQUE
; RUN: %passes --only=lowerIntrinsics,lowerThreadFields | %check
; OPAQUE-LABEL: define i32 @place(
; OPAQUE-NOT: load
; OPAQUE: ret i32
; CHECK-LABEL: define i32 @place()
; CHECK-SAME: #[[READS:[0-9]+]]
; CHECK-COUNT-3: load i32, ptr %{{.+}}, align 4{{$}}
define i32 @place() memory(none) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %a = add i32 %x, %y
  %b = add i32 %a, %lane
  ret i32 %b
}
; CHECK-LABEL: define i32 @caller()
; CHECK-SAME: #[[READS]]
define i32 @caller() memory(none) {
  %r = call i32 @place()
  ret i32 %r
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
; CHECK: attributes #[[READS]] = { memory(read) }
