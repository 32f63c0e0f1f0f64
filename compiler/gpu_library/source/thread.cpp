// The thread's own place, and special registers.
#include "compiler/gpu_library/source/interface.h"

#define REGISTER(name) static_cast<unsigned>(__nvvm_read_ptx_sreg_##name())
#define TRIPLE(name) \
  hw_dim3 { REGISTER(name##_x), REGISTER(name##_y), REGISTER(name##_z) }

GPU_INLINE char *sharedWindow() {
  char *address;
  asm("cvta.shared.u64 %0, 0;" : "=l"(address));
  return address;
}

// Shared memory lies in a window of this size in the generic address space.
constexpr uint64_t windowBytes = uint64_t{1} << 24;

GPU_FUNCTION unsigned hw_read_linear_thread() {
  return REGISTER(tid_x) + REGISTER(ntid_x) * (REGISTER(tid_y) + REGISTER(ntid_y) * REGISTER(tid_z));
}

// PTX's %warpid may change; a thread's number tells where it really is.
GPU_FUNCTION unsigned hw_read_warpid() { return hw_read_linear_thread() / 32; }

extern __attribute__((device, address_space(3))) char hw_gpu_dynamic_shared[];

// hw_gpu_describe_thread() fills what hw_self() points to; of its fields those stay that somebody reads.
GPU_FUNCTION void hw_gpu_describe_thread(hw_thread *thread) {
  const unsigned linear = hw_read_linear_thread();
  thread->threadIdx = TRIPLE(tid);
  thread->laneId = REGISTER(laneid);
  thread->blockIdx = TRIPLE(ctaid);
  thread->warpId = linear / 32;
  thread->blockDim = TRIPLE(ntid);
  thread->linearThread = linear;
  thread->gridDim = TRIPLE(nctaid);
  thread->spinBudget = 0;
  thread->sharedBase = sharedWindow();
  thread->dynamicShared = (char *)hw_gpu_dynamic_shared;
  thread->deviceDelta = 0;
  thread->sharedBytes = windowBytes;
}

GPU_INLINE unsigned register32(int which) {
  unsigned value = 0;
#define READ(number, name)                                  \
  case number:                                              \
    asm volatile("mov.u32 %0, %%" #name ";" : "=r"(value)); \
    break;
  switch (which) {
    READ(HW_SREG_SMID, smid)
    READ(HW_SREG_NSMID, nsmid)
    READ(HW_SREG_NWARPID, nwarpid)
    READ(HW_SREG_DYNAMIC_SMEM_SIZE, dynamic_smem_size)
    READ(HW_SREG_TOTAL_SMEM_SIZE, total_smem_size)
  }
  return value;
}

// Before 9.0 a block is a cluster of its own.
GPU_INLINE unsigned clusterRegister(int which) {
  unsigned value = 0;
  switch (which) {
    READ(HW_SREG_CLUSTERID_X, clusterid.x)
    READ(HW_SREG_CLUSTERID_Y, clusterid.y)
    READ(HW_SREG_CLUSTERID_Z, clusterid.z)
    READ(HW_SREG_NCLUSTERID_X, nclusterid.x)
    READ(HW_SREG_NCLUSTERID_Y, nclusterid.y)
    READ(HW_SREG_NCLUSTERID_Z, nclusterid.z)
    READ(HW_SREG_CLUSTER_CTAID_X, cluster_ctaid.x)
    READ(HW_SREG_CLUSTER_CTAID_Y, cluster_ctaid.y)
    READ(HW_SREG_CLUSTER_CTAID_Z, cluster_ctaid.z)
    READ(HW_SREG_CLUSTER_NCTAID_X, cluster_nctaid.x)
    READ(HW_SREG_CLUSTER_NCTAID_Y, cluster_nctaid.y)
    READ(HW_SREG_CLUSTER_NCTAID_Z, cluster_nctaid.z)
    READ(HW_SREG_CLUSTER_CTARANK, cluster_ctarank)
    READ(HW_SREG_CLUSTER_NCTARANK, cluster_nctarank)
    case HW_SREG_IS_EXPLICIT_CLUSTER: {
      asm volatile("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p; }" : "=r"(value));
      break;
    }
  }
#undef READ
  return value;
}

GPU_INLINE unsigned singleBlockRegister(int which) {
  switch (which) {
    case HW_SREG_CLUSTERID_X:
      return REGISTER(ctaid_x);
    case HW_SREG_CLUSTERID_Y:
      return REGISTER(ctaid_y);
    case HW_SREG_CLUSTERID_Z:
      return REGISTER(ctaid_z);
    case HW_SREG_NCLUSTERID_X:
      return REGISTER(nctaid_x);
    case HW_SREG_NCLUSTERID_Y:
      return REGISTER(nctaid_y);
    case HW_SREG_NCLUSTERID_Z:
      return REGISTER(nctaid_z);
    case HW_SREG_CLUSTER_NCTAID_X:
    case HW_SREG_CLUSTER_NCTAID_Y:
    case HW_SREG_CLUSTER_NCTAID_Z:
    case HW_SREG_CLUSTER_NCTARANK:
      return 1;
    default:
      return 0;
  }
}

GPU_INLINE uint64_t register64(int which) {
  uint64_t value = 0;
  unsigned words[2];
  switch (which) {
    case HW_SREG_GRIDID:
      asm volatile("mov.u64 %0, %%gridid;" : "=l"(value));
      break;
    case HW_SREG_CLOCK64:
      asm volatile("mov.u64 %0, %%clock64;" : "=l"(value)::"memory");
      break;
    case HW_SREG_GLOBALTIMER:
      asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(value)::"memory");
      break;
    case HW_SREG_GRID_WORKSPACE:  // where the driver says it is; 0 of grids that are not cooperative
      asm volatile("mov.u32 %0, %%envreg2; mov.u32 %1, %%envreg1;" : "=r"(words[0]), "=r"(words[1]));
      value = join(words[0], words[1]);
      break;
  }
  return value;
}

// `which` is a constant wherever headers ask.
GPU_FUNCTION __attribute__((always_inline)) uint64_t hw_special_register(int which) noexcept {
  const bool isOfCluster = which >= HW_SREG_CLUSTERID_X && which <= HW_SREG_IS_EXPLICIT_CLUSTER;
  if (isOfCluster) return hw_gpu_architecture >= 90 ? clusterRegister(which) : singleBlockRegister(which);
  const bool isWide = which == HW_SREG_GRIDID || which == HW_SREG_CLOCK64 || which == HW_SREG_GLOBALTIMER ||
                      which == HW_SREG_GRID_WORKSPACE;
  return isWide ? register64(which) : register32(which);
}

// --- Where an address lies ---

#define IS_IN(name, space)                                                                                  \
  GPU_FUNCTION uint32_t name(const void *address) noexcept {                                                \
    uint32_t result;                                                                                        \
    asm("{ .reg .pred p; isspacep." space " p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(result) : "l"(address)); \
    return result;                                                                                          \
  }
IS_IN(hw_is_constant, "const")
IS_IN(hw_is_local, "local")
IS_IN(hw_is_grid_constant, "param")
