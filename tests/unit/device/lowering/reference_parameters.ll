; Parameters of the types that a mark names are the caller's objects: nothing is copied at a call. A kernel's are copied,
; by its launch; those of other types stay as they are.
; RUN: %passes --only=collectKernels,shareReferenceParameters | %check
%class = type { i32, ptr }
%plain = type { i32, i32 }
; CHECK-NOT: hostwarp.by_reference
declare void @hostwarp.by_reference.0(ptr byval(%class))

; CHECK-LABEL: define void @callee(ptr align 8 %a, ptr byval(%plain) align 4 %b)
define void @callee(ptr byval(%class) align 8 %a, ptr byval(%plain) align 4 %b) { ret void }

; CHECK-LABEL: define ptx_kernel void @k(ptr byval(%class) align 8 %a, ptr byval(%plain) align 4 %b, ptr %f)
; CHECK-NEXT: call void @callee(ptr align 8 %a, ptr byval(%plain) align 4 %b)
; CHECK-NEXT: call void %f(ptr align 8 %a)
define ptx_kernel void @k(ptr byval(%class) align 8 %a, ptr byval(%plain) align 4 %b, ptr %f) {
  call void @callee(ptr byval(%class) align 8 %a, ptr byval(%plain) align 4 %b)
  call void %f(ptr byval(%class) align 8 %a)
  ret void
}
