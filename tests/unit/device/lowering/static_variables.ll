; Code from before clang saw that the host uses a static variable refers to it by its old name.
; RUN: %passes --rdc --only=joinStaticVariables | %check
@_ZL5count__static__c0ffee = addrspace(1) externally_initialized global i32 3
@_ZL5count = external addrspace(1) global i32
@other = external addrspace(1) global i32

; CHECK-LABEL: define i32 @early
; CHECK: load i32, ptr addrspace(1) @_ZL5count__static__c0ffee
; CHECK: load i32, ptr addrspace(1) @other
define i32 @early() {
  %a = load i32, ptr addrspace(1) @_ZL5count
  %b = load i32, ptr addrspace(1) @other
  %c = add i32 %a, %b
  ret i32 %c
}
