; The image's table has a row for each kernel and variable, and a constructor registers it.
; RUN: %passes --only=collectKernels,collectVariables,makeKernelEntries,emitImage | %check
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
@v = addrspace(1) global [3 x i32] zeroinitializer
@c = addrspace(4) global i64 0
define ptx_kernel void @k(i32 %a, ptr %p) { ret void }

; CHECK-DAG: @llvm.global_ctors = appending global {{.*}} { i32 101, ptr @__hwd_register_image, ptr null }
; CHECK-DAG: @[[NAME:.+]] = private constant [2 x i8] c"k\00"
; CHECK-DAG: @[[PARAMETERS:.+]] = private constant [2 x { i32, i32 }] [{ i32, i32 } { i32 4, i32 4 }, { i32, i32 } { i32 8, i32 8 }]
; One kernel, without a stub, with a thread's entry at the first level and 8 bytes of constant memory.
; CHECK-DAG: private constant [1 x { {{.*}} }] [{{.*}} { ptr @[[NAME]], ptr null, ptr @{{.+}}, i64 1, ptr @[[PARAMETERS]], i32 2, {{.*}}, i64 8 }]
; CHECK-DAG: @{{.+}} = private constant [1 x { ptr, i32, i32, i32, i32, i32, i32 }] [{ ptr, i32, i32, i32, i32, i32, i32 } { ptr @__hwd_entry.k, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0 }]
; Two variables: 12 bytes of kind 0, 8 of kind 1.
; CHECK-DAG: private constant [2 x { ptr, ptr, i64, i32, i32 }] [{ ptr, ptr, i64, i32, i32 } { ptr @{{.+}}, ptr addrspacecast (ptr addrspace(1) @v to ptr), i64 12, i32 4, i32 0 }, { ptr, ptr, i64, i32, i32 } { ptr @{{.+}}, ptr addrspacecast (ptr addrspace(4) @c to ptr), i64 8, i32 8, i32 1 }]
; CHECK-DAG: @__hwd_image = private constant { {{.*}} } { i32 {{[0-9]+}}, i32 0, i64 4660, ptr @{{.+}}, ptr @{{.+}}, i64 1, ptr @{{.+}}, i64 2, ptr null, i64 0, ptr null }
; CHECK: define internal void @__hwd_register_image()
; CHECK-NEXT: call void @hw_register_image(ptr @__hwd_image)
