; With -rdc=true symbols keep their linkage, hidden and under a prefix, so that only device code finds them.
; RUN: %passes --rdc --only=isolateSymbols | %check
target triple = "x86_64-pc-linux-gnu"
$inline = comdat any

; CHECK: $__hwd_inline = comdat any
; CHECK: @__hwd_v = hidden addrspace(1) global
@v = addrspace(1) global i32 0
; CHECK: @__hwd_elsewhere = external hidden addrspace(1) global
@elsewhere = external addrspace(1) global i32
; CHECK: @__hwd_own = internal addrspace(1) global
@own = internal addrspace(1) global i32 0

; CHECK: define hidden void @__hwd_k()
define void @k() {
  call void @inline()
  call void @_Z5otherv()
  %e = load i32, ptr addrspace(1) @elsewhere
  %o = load i32, ptr addrspace(1) @own
  ret void
}
; CHECK: define linkonce_odr hidden void @__hwd_inline() comdat
define linkonce_odr void @inline() comdat { ret void }
; CHECK: declare hidden void @__hwd__Z5otherv()
declare void @_Z5otherv()
