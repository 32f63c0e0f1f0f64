; Functions in which threads wait become a part of the kernel, also those that keep apart and reach the collective through a
; header's function, whose kind of exchange is not a constant yet. Large, recursive and other ones stay.
; RUN: %passes --only=inlineWaits | %check

; CHECK: define internal i32 @apart(i32 %v) #[[INLINED:[0-9]+]]
define internal i32 @apart(i32 %v) noinline {
  %s = call i32 @of_header(i32 3, i32 %v)
  ret i32 %s
}
; CHECK: define internal i32 @of_header(i32 %kind, i32 %v) #[[INLINED]]
define internal i32 @of_header(i32 %kind, i32 %v) {
  %wide = zext i32 %v to i64
  %s = call i64 @hw_shuffle(i32 -1, i32 %kind, i64 %wide, i32 1, i32 32, ptr null)
  %r = trunc i64 %s to i32
  ret i32 %r
}
; CHECK: define internal void @arrives() #[[INLINED]]
define internal void @arrives() noinline optnone {
  call void @hw_barrier_arrive(i32 1, i32 64)
  ret void
}
; So do those that copy by cp.async.
; CHECK: define internal void @copies(ptr %to, ptr %from) #[[INLINED]]
define internal void @copies(ptr %to, ptr %from) noinline {
  call void @__hwd_hwptx_cp_async(ptr %to, ptr %from, i32 16, i32 16)
  ret void
}
declare void @__hwd_hwptx_cp_async(ptr, ptr, i32, i32)
; CHECK: define internal i32 @again(i32 %v) #[[APART:[0-9]+]]
define internal i32 @again(i32 %v) noinline {
  %s = call i32 @again(i32 %v)
  %t = call i32 @of_header(i32 3, i32 %s)
  ret i32 %t
}
; CHECK: define internal i32 @quiet(i32 %v) #[[APART]]
define internal i32 @quiet(i32 %v) noinline {
  %p = call i32 @hw_vprintf(ptr null, ptr null)
  ret i32 %p
}
define void @kernel(i32 %v) {
  %a = call i32 @apart(i32 %v)
  call void @arrives()
  call void @copies(ptr null, ptr null)
  %b = call i32 @again(i32 %a)
  %c = call i32 @quiet(i32 %b)
  ret void
}
; CHECK: attributes #[[INLINED]] = { alwaysinline }
; CHECK: attributes #[[APART]] = { noinline }
declare i64 @hw_shuffle(i32, i32, i64, i32, i32, ptr)
declare void @hw_barrier_arrive(i32, i32)
declare i32 @hw_vprintf(ptr, ptr)
