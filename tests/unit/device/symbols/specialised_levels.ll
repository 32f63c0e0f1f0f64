; The specialised build has one block function, for the shape and instruction set that it is asked for; the function for a
; thread, which the image's own serves, is empty.
; RUN: %passes --kernel=k -O 3 --until=emitImage | %check
target triple = "nvptx64-nvidia-cuda"

; Of a block of 128 x 1 x 1, for AVX-512, which is 2.
; CHECK: @{{.+}} = private constant [2 x {{.+}}] [{{.+}} { ptr @__hwd_entry.k, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0 }, {{.+}} { ptr @__hwd_shaped_block.k, i32 1, i32 2, i32 128, i32 1, i32 1, i32 {{[0-9]+}} }]
; CHECK-NOT: .avx2
; CHECK-NOT: @__hwd_block.k
; CHECK-LABEL: define internal void @__hwd_entry.k(
; CHECK-NEXT: call void @llvm.trap()
; CHECK-NEXT: unreachable
; CHECK: define internal void @__hwd_shaped_block.k(
define void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i32, ptr %out, i32 %t
  store i32 %t, ptr %at
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
