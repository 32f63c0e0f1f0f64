; What a whole-program build defines is its own; functions of libraries keep their names; what nobody defines is an error.
; RUN: not %passes --only=isolateSymbols 2>%t.err | %check
; RUN: %check --check-prefix=ERROR --input-file=%t.err
target triple = "x86_64-pc-linux-gnu"
$inline = comdat any

; CHECK: @__hwd_v = internal addrspace(1) global
@v = addrspace(1) global i32 0
; CHECK: @literal = private
@literal = private constant i32 1
; ERROR-DAG: source.cu: error: unresolved extern 'elsewhere' in device code; separate compilation needs -rdc=true
@elsewhere = external addrspace(1) global i32

; CHECK: define internal void @__hwd_k(
define void @k() {
  call void @inline()
  call void @hw_barrier(i32 0, i32 0)
  %s = call double @sin(double 1.0)
  call void @_Z5otherv()
  %e = load i32, ptr addrspace(1) @elsewhere
  ret void
}
; CHECK: define internal void @__hwd_inline() {
define linkonce_odr void @inline() comdat { ret void }
; CHECK: declare void @hw_barrier(
declare void @hw_barrier(i32, i32)
; CHECK: declare double @sin(
declare double @sin(double)
; ERROR-DAG: unresolved extern '_Z5otherv'
declare void @_Z5otherv()
