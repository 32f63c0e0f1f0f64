; The image tells where variables begin with addresses of variables: a row of kind 4, without a name, for each.
; RUN: %passes --only=collectKernels,collectVariables,emitImage | %check
%pair = type { i32, ptr }
@v = addrspace(1) global i32 5
@table = addrspace(1) global [4 x i32] zeroinitializer
@where = addrspace(1) global ptr getelementptr (i8, ptr addrspacecast (ptr addrspace(1) @table to ptr), i64 4)
@pairs = addrspace(4) global [2 x %pair] [%pair { i32 1, ptr null }, %pair { i32 2, ptr addrspacecast (ptr addrspace(1) @v to ptr) }]
; Functions exist once.
@called = addrspace(1) global ptr @f

; CHECK: { ptr @{{.+}}, ptr addrspacecast (ptr addrspace(1) @where to ptr), i64 8, i32 8, i32 0 }
; CHECK-SAME: { ptr @{{.+}}, ptr addrspacecast (ptr addrspace(1) @called to ptr), i64 8, i32 8, i32 0 }
; CHECK-SAME: { ptr @{{.+}}, ptr addrspacecast (ptr addrspace(1) @where to ptr), i64 8, i32 8, i32 4 }
; CHECK-SAME: { ptr @{{.+}}, ptr getelementptr (i8, ptr addrspacecast (ptr addrspace(4) @pairs to ptr), i64 24), i64 8, i32 8, i32 4 }
; CHECK-NOT: i32 4 }
define void @f() {
  ret void
}
