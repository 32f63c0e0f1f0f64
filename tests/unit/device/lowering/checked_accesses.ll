; In the checked build a call stands before each access, with the variable that is meant where that is known; accesses
; that cannot be wrong have none. Other builds have no such calls.
; RUN: %passes --checked --only=checkAccesses,nameCheckSites | %check
; RUN: %passes --only=checkAccesses,nameCheckSites | %check --check-prefix=USUAL --allow-unused-prefixes=true
; USUAL-NOT: hw_check
@tile = internal addrspace(3) global [32 x i32] undef
@dynamic = external addrspace(3) global [0 x i32]
@total = addrspace(1) global [4 x i32] zeroinitializer

; CHECK-DAG: @[[TILE:.+]] = private {{.*}}constant [7 x i8] c"'tile'\00"
; CHECK-DAG: @[[TOTAL:.+]] = private {{.*}}constant [8 x i8] c"'total'\00"
; CHECK-DAG: @[[LOCAL:.+]] = private {{.*}}constant [17 x i8] c"a local variable\00"

; CHECK-LABEL: define void @pointers(
; CHECK: call void @hw_check_access(ptr %p, i64 4, i32 1, ptr @[[SITE:__hwd_site[^,]*]], i64 0)
; CHECK-NEXT: load i32, ptr %p
; CHECK: call void @hw_check_access(ptr %q, i64 8, i32 258, ptr @[[SITE]], i64 %w)
; CHECK-NEXT: store i64
; CHECK: call void @hw_check_access(ptr %p, i64 4, i32 66103, ptr @[[SITE]], i64 0)
; CHECK-NEXT: atomicrmw
; CHECK: call void @hw_check_access(ptr %p, i64 4, i32 183, ptr @[[SITE]], i64 0)
; CHECK-NEXT: cmpxchg
; CHECK: call void @hw_check_access(ptr %q, i64 %n, i32 4097, ptr @[[SITE]], i64 0)
; CHECK-NEXT: [[FROM:%.+]] = ptrtoint ptr %q to i64
; CHECK-NEXT: call void @hw_check_access(ptr %p, i64 %n, i32 4098, ptr @[[SITE]], i64 [[FROM]])
; CHECK-NEXT: call void @llvm.memcpy
; CHECK: call void @hw_check_access(ptr %p, i64 %n, i32 2, ptr @[[SITE]], i64 0)
; CHECK-NEXT: call void @llvm.memset
define void @pointers(ptr %p, ptr %q, i64 %n) {
  %v = load i32, ptr %p
  %w = zext i32 %v to i64
  store i64 %w, ptr %q
  %a = atomicrmw add ptr %p, i32 1 seq_cst
  %b = cmpxchg ptr %p, i32 0, i32 1 seq_cst seq_cst
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 false)
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 %n, i1 false)
  ret void
}

; CHECK-LABEL: define i32 @variables(
; CHECK-NOT: call void @hw_check_{{.*}}%inside
; The first number is the offset from the variable.
; CHECK: [[BEGINS:%.+]] = icmp ule i64 [[OFFSET:%.+]], 128
; CHECK-NEXT: [[LEFT:%.+]] = sub i64 128, [[OFFSET]]
; CHECK-NEXT: [[FITS:%.+]] = icmp ule i64 4, [[LEFT]]
; CHECK-NEXT: [[INSIDE:%.+]] = and i1 [[BEGINS]], [[FITS]]
; CHECK-NEXT: [[OUTSIDE:%.+]] = xor i1 [[INSIDE]], true
; CHECK-NEXT: br i1 [[OUTSIDE]], label %[[WRONG:.+]], label %[[FINE:.+]], !prof
; CHECK: [[WRONG]]:
; CHECK: call void @hw_check_object(ptr %{{.+}}, i64 4, i32 1, ptr @{{.+}}, ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 128, ptr @[[TILE]])
; CHECK-NEXT: br label %[[FINE]]
; CHECK: [[FINE]]:
; CHECK: call void @hw_check_access(ptr %{{.+}}, i64 4, i32 1025,
; CHECK-NEXT: load i32, ptr addrspace(3) %at
; The last element is inside, the next one is not. Other threads may touch both.
; CHECK-NOT: hw_check_object
; CHECK: call void @hw_check_access(ptr {{.*}} i64 12) to ptr), i64 4, i32 1282,
; CHECK-NEXT: store i32 %x, ptr addrspace(1) getelementptr {{.*}} i64 12
; CHECK: call void @hw_check_object({{.*}}, i64 4, i32 258, ptr @{{.+}}, ptr addrspacecast (ptr addrspace(1) @total to ptr), i64 16, ptr @[[TOTAL]])
; CHECK: call void @hw_check_access(ptr {{.*}} i64 16) to ptr), i64 4, i32 1282,
; CHECK-NEXT: store i32 %x, ptr addrspace(1) getelementptr {{.*}} i64 16
; What a launch gives begins at the variable and ends with the block's shared memory.
; CHECK: [[ALL:%.+]] = add i64 %{{.+}}, %{{.+}}
; CHECK-NEXT: [[SIZE:%.+]] = sub i64 [[ALL]], ptrtoint ({{.*}}@dynamic{{.*}} to i64)
; CHECK: icmp ule i64 %{{.+}}, [[SIZE]]
; CHECK: call void @hw_check_object(ptr %{{.+}}, i64 4, i32 1, ptr @{{.+}}, ptr {{.*}}@dynamic{{.*}}, i64 -1, ptr @{{.+}})
; A variable of the thread's own is nobody else's.
; CHECK: call void @hw_check_object(ptr %element, i64 4, i32 1, ptr @{{.+}}, ptr %local, i64 16, ptr @[[LOCAL]])
; CHECK-NOT: hw_check_access
; CHECK: load i32, ptr %element
define i32 @variables(i64 %i, ptr byval([2 x i32]) %pair) {
  %local = alloca [4 x i32]
  store i32 1, ptr %local
  %second = getelementptr i32, ptr %pair, i64 1
  %y = load i32, ptr %second
  %at = getelementptr [32 x i32], ptr addrspace(3) @tile, i64 0, i64 %i
  %x = load i32, ptr addrspace(3) %at
  store i32 %x, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @total, i64 12)
  store i32 %x, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @total, i64 16)
  %part = getelementptr [0 x i32], ptr addrspace(3) @dynamic, i64 0, i64 %i
  %z = load i32, ptr addrspace(3) %part
  %element = getelementptr [4 x i32], ptr %local, i64 0, i64 %i
  %e = load i32, ptr %element
  ret i32 %e
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
