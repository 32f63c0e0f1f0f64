; A launch by a kernel lays out the arguments as the kernel's parameters lie and hands them to the device runtime, whose
; functions remain to be linked; those of graphs are the driver's.
; RUN: %hwcc-device --gpu=sm_90 --rdc --libdevice=none -o %t && %check < %t
target triple = "nvptx64-nvidia-cuda"

%size = type { i32, i32, i32 }
%pair = type { i64, i64 }

declare void @hw_start_launch(ptr, ptr, i64, ptr)
declare void @hw_graph_set_conditional(i64, i32)
declare i32 @hw_cuda_get_last_error()
declare ptr @cudaGetErrorString(i32)

; The header's function for <<<>>>.
define internal void @start(ptr byval(%size) align 4 %grid, ptr byval(%size) align 4 %block, i64 %shared, ptr %stream) {
  call void @hw_start_launch(ptr %grid, ptr %block, i64 %shared, ptr %stream)
  ret void
}

define void @child(i1 zeroext %flag, ptr byval(%pair) align 8 %values, i32 %number) {
  ret void
}

; CHECK-DAG: .extern .func {{.*}} __cudaCDP2GetParameterBufferV2
; CHECK-DAG: .extern .func {{.*}} __cudaCDP2LaunchDeviceV2
; CHECK-DAG: .extern .func cudaGraphSetConditional
; CHECK: .entry parent(
; CHECK: __cudaCDP2GetParameterBufferV2,
; CHECK: st.u8 {{.*}}[%[[BUFFER:rd[0-9]+]]],
; CHECK: st.u32 {{.*}}[%[[BUFFER]]+24],
; CHECK: __cudaCDP2LaunchDeviceV2,
; CHECK: cudaGraphSetConditional,
; CHECK: __cudaCDP2GetLastError,
; CHECK: __cudaCDP2GetErrorString,
define void @parent(ptr %x, ptr %values, ptr %size, i32 %number) {
  call void @child(i1 zeroext true, ptr byval(%pair) align 8 %values, i32 %number)
  call void @start(ptr byval(%size) align 4 %size, ptr byval(%size) align 4 %size, i64 0, ptr null)
  call void @hw_graph_set_conditional(i64 1, i32 0)
  %error = call i32 @hw_cuda_get_last_error()
  store i32 %error, ptr %x
  %words = call ptr @cudaGetErrorString(i32 %error)
  store ptr %words, ptr %values
  ret void
}

; CHECK: .entry chooses(
; CHECK: __cudaCDP2GetParameterBufferV2,
define void @chooses(ptr %kernel, ptr %size, i32 %number) {
  call void %kernel(i32 %number)
  call void @start(ptr byval(%size) align 4 %size, ptr byval(%size) align 4 %size, i64 0, ptr null)
  ret void
}

!nvvm.annotations = !{!0, !1, !2}
!0 = !{ptr @child, !"kernel", i32 1}
!1 = !{ptr @parent, !"kernel", i32 1}
!2 = !{ptr @chooses, !"kernel", i32 1}
