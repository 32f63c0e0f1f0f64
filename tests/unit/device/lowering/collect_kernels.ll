; Kernels, by clang's metadata, the calling convention or our annotation, with what their attributes say; functions of the
; device are none.
; RUN: %passes --only=collectKernels,collectVariables | %check
@text.bounds = private constant [23 x i8] c"hostwarp.launch_bounds\00", section "llvm.metadata"
@numbers.bounds = private constant { i32, i32, i32 } { i32 256, i32 4, i32 2 }, section "llvm.metadata"
@text.cluster = private constant [22 x i8] c"hostwarp.cluster_dims\00", section "llvm.metadata"
@numbers.cluster = private constant { i32, i32 } { i32 2, i32 4 }, section "llvm.metadata"
@text.registers = private constant [17 x i8] c"hostwarp.maxnreg\00", section "llvm.metadata"
@numbers.registers = private constant { i32 } { i32 48 }, section "llvm.metadata"
@text.block = private constant [20 x i8] c"hostwarp.block_size\00", section "llvm.metadata"
@numbers.block = private constant { i32, i32, i32, i32 } { i32 64, i32 2, i32 1, i32 3 }, section "llvm.metadata"
@text.managed = private constant [17 x i8] c"hostwarp.managed\00", section "llvm.metadata"
@file = private constant [5 x i8] c"x.cu\00", section "llvm.metadata"
@llvm.global.annotations = appending global [7 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @bounded, ptr @text.bounds, ptr @file, i32 1, ptr @numbers.bounds },
  { ptr, ptr, ptr, i32, ptr } { ptr @clustered, ptr @text.cluster, ptr @file, i32 1, ptr @numbers.cluster },
  { ptr, ptr, ptr, i32, ptr } { ptr @bounded, ptr @text.registers, ptr @file, i32 1, ptr @numbers.registers },
  { ptr, ptr, ptr, i32, ptr } { ptr @sized, ptr @text.block, ptr @file, i32 1, ptr @numbers.block },
  { ptr, ptr, ptr, i32, ptr } { ptr @anycluster, ptr @text.cluster, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @helper, ptr @text.registers, ptr @file, i32 1, ptr @numbers.registers },
  { ptr, ptr, ptr, i32, ptr } { ptr addrspacecast (ptr addrspace(1) @shared_with_host to ptr), ptr @text.managed, ptr @file, i32 1, ptr null }
], section "llvm.metadata"

@plain = addrspace(1) externally_initialized global i32 1
@fixed = addrspace(4) externally_initialized constant [2 x i32] [i32 1, i32 2]
@shared_with_host = addrspace(1) externally_initialized global i32 2
@reference = addrspace(1) global i64 undef
@elsewhere = external addrspace(1) global i32
@block_shared = internal addrspace(3) global i32 undef
@host_side = global i32 0

define void @byMetadata() { ret void }
define ptx_kernel void @bounded() { ret void }
define ptx_kernel void @clustered() { ret void }
define ptx_kernel void @sized() { ret void }
define ptx_kernel void @anycluster() { ret void }
define void @helper() { ret void }
declare ptx_kernel void @declared()

; What the host writes is no constant, and what is bound to nothing is zero.
; CHECK: @fixed = addrspace(4) externally_initialized global [2 x i32]
; CHECK: @reference = addrspace(1) global i64 0

; CHECK-LABEL: ; kernel byMetadata
; CHECK-NEXT: ; byMetadata.maxThreads: 128 0 0
; CHECK: ; byMetadata.minBlocksPerSm: 3
; CHECK-LABEL: ; kernel bounded
; CHECK-NEXT: ; bounded.maxThreads: 256 0 0
; CHECK: ; bounded.minBlocksPerSm: 4
; CHECK: ; bounded.maxBlocksPerCluster: 2
; CHECK: ; bounded.maxRegisters: 48
; CHECK-LABEL: ; kernel clustered
; CHECK-NEXT: ; clustered.clusterDim: 2 4 1
; CHECK-LABEL: ; kernel sized
; CHECK-NEXT: ; sized.flag: HW_KERNEL_GRID_OF_CLUSTERS
; CHECK-NEXT: ; sized.maxThreads: 64 2 1
; CHECK-NEXT: ; sized.clusterDim: 3 1 1
; CHECK-NEXT: ; sized.blockDim: 64 2 1
; CHECK-LABEL: ; kernel anycluster
; CHECK-NEXT: ; anycluster.flag: HW_KERNEL_NEEDS_CLUSTER
; CHECK-NOT: ; kernel
; CHECK: ; variable plain: device
; CHECK-NEXT: ; variable fixed: constant
; CHECK-NEXT: ; variable shared_with_host: managed
; CHECK-NEXT: ; variable reference: device
; CHECK-NOT: ; variable

!nvvm.annotations = !{!0, !1, !2}
!0 = !{ptr @byMetadata, !"kernel", i32 1}
!1 = !{ptr @byMetadata, !"maxntidx", i32 128}
!2 = !{ptr @byMetadata, !"minctasm", i32 3}
