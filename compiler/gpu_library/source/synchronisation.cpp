// Barriers of the block, the grid and the cluster; what ends a thread.
#include "compiler/gpu_library/source/interface.h"

GPU_FUNCTION __attribute__((always_inline)) void hw_barrier(uint32_t id, uint32_t count) noexcept {
  if (count)
    asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(count) : "memory");
  else
    asm volatile("barrier.sync %0;" ::"r"(id) : "memory");
}

GPU_FUNCTION __attribute__((always_inline)) void hw_barrier_arrive(uint32_t id, uint32_t count) noexcept {
  asm volatile("barrier.arrive %0, %1;" ::"r"(id), "r"(count) : "memory");
}

#define REDUCE(operation, destination, setup, result)                                                                 \
  if (count)                                                                                                          \
    asm volatile("{ .reg .pred p, q; setp.ne.u32 p, %3, 0; barrier.red." operation " " destination                    \
                 ", %1, %2, p; " result "}"                                                                           \
                 : "=r"(value)                                                                                        \
                 : "r"(id), "r"(count), "r"(predicate)                                                                \
                 : "memory");                                                                                         \
  else                                                                                                                \
    asm volatile("{ .reg .pred p, q; setp.ne.u32 p, %2, 0; barrier.red." operation " " destination ", %1, p; " result \
                 "}"                                                                                                  \
                 : "=r"(value)                                                                                        \
                 : "r"(id), "r"(predicate)                                                                            \
                 : "memory");

GPU_FUNCTION __attribute__((always_inline)) int hw_barrier_reduce(uint32_t id, uint32_t count, int reduction,
                                                                  int predicate) noexcept {
  int value = 0;
  if (reduction == HW_COUNT) {
    REDUCE("popc.u32", "%0", , "")
  } else if (reduction == HW_AND) {
    REDUCE("and.pred", "q", , "selp.u32 %0, 1, 0, q; ")
  } else {
    REDUCE("or.pred", "q", , "selp.u32 %0, 1, 0, q; ")
  }
  return value;
}

// --- The grid ---
// The driver gives a cooperative grid a workspace, whose second word is for a barrier: blocks add 1 to it, and the
// first one what is missing to turn the highest bit over.

struct GridWorkspace {
  unsigned bytes, barrier;
};

constexpr unsigned turn = 0x80000000u;

// What the block's first thread has seen when it arrived.
static __attribute__((device, shared)) unsigned seenAtArrival;

GPU_INLINE GridWorkspace *workspace() {
  return reinterpret_cast<GridWorkspace *>(hw_special_register(HW_SREG_GRID_WORKSPACE));
}

GPU_INLINE bool isFirstThread() {
  return (__nvvm_read_ptx_sreg_tid_x() | __nvvm_read_ptx_sreg_tid_y() | __nvvm_read_ptx_sreg_tid_z()) == 0;
}

GPU_INLINE bool isFirstBlock() {
  return (__nvvm_read_ptx_sreg_ctaid_x() | __nvvm_read_ptx_sreg_ctaid_y() | __nvvm_read_ptx_sreg_ctaid_z()) == 0;
}

GPU_FUNCTION int hw_grid_is_cooperative() noexcept { return workspace() != nullptr; }

GPU_FUNCTION void hw_grid_arrive() noexcept {
  GridWorkspace *const shared = workspace();
  if (!shared) __builtin_trap();
  __syncthreads();
  if (!isFirstThread()) return;
  const unsigned blocks =
      __nvvm_read_ptx_sreg_nctaid_x() * __nvvm_read_ptx_sreg_nctaid_y() * __nvvm_read_ptx_sreg_nctaid_z();
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
  const unsigned mine = isFirstBlock() ? turn - (blocks - 1) : 1;
  asm volatile("atom.add.relaxed.gpu.u32 %0, [%1], %2;"
               : "=r"(seenAtArrival)
               : "l"(&shared->barrier), "r"(mine)
               : "memory");
}

GPU_FUNCTION void hw_grid_wait() noexcept {
  if (isFirstThread()) {
    const unsigned *const barrier = &workspace()->barrier;
    unsigned now;
    do {
      asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(barrier) : "memory");
    } while (((now ^ seenAtArrival) & turn) == 0);
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
  }
  __syncthreads();
}

GPU_FUNCTION void hw_grid_sync() noexcept {
  hw_grid_arrive();
  hw_grid_wait();
}

// --- The cluster: a single block before 9.0 ---

GPU_FUNCTION void hw_cluster_arrive() noexcept {
  if (hw_gpu_architecture >= 90) asm volatile("barrier.cluster.arrive;" ::: "memory");
}

GPU_FUNCTION void hw_cluster_wait() noexcept {
  if (hw_gpu_architecture >= 90)
    asm volatile("barrier.cluster.wait;" ::: "memory");
  else
    __syncthreads();
}

GPU_FUNCTION void *hw_cluster_shared(const void *address, uint32_t rank) noexcept {
  if (hw_gpu_architecture < 90) return const_cast<void *>(address);
  void *result;
  asm("mapa.u64 %0, %1, %2;" : "=l"(result) : "l"(address), "r"(rank));
  return result;
}

GPU_FUNCTION uint32_t hw_cluster_rank(const void *address) noexcept {
  uint32_t result = 0;
  if (hw_gpu_architecture >= 90) asm("getctarank.u64 %0, %1;" : "=r"(result) : "l"(address));
  return result;
}

// --- Programmatic dependent launch ---

GPU_FUNCTION void hw_trigger_dependents() noexcept {
  if (hw_gpu_architecture >= 90) asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

GPU_FUNCTION void hw_wait_for_prerequisites() noexcept {
  if (hw_gpu_architecture >= 90) asm volatile("griddepcontrol.wait;" ::: "memory");
}

// --- The thread ---

GPU_FUNCTION void hw_yield() noexcept {}

GPU_FUNCTION void hw_nanosleep(uint32_t nanoseconds) noexcept {
  asm volatile("nanosleep.u32 %0;" ::"r"(nanoseconds) : "memory");
}

GPU_FUNCTION void hw_exit_thread() noexcept {
  asm volatile("exit;" ::: "memory");
  __builtin_unreachable();
}

GPU_FUNCTION void hw_trap() noexcept {
  asm volatile("trap;" ::: "memory");
  __builtin_unreachable();
}

// What stands in a table of virtual functions for one that nobody has defined.
GPU_FUNCTION void __cxa_pure_virtual() { hw_trap(); }

// A constexpr function may throw where it is not evaluated by the compiler.
GPU_FUNCTION void *__cxa_allocate_exception(size_t) {
  hw_trap();
}

GPU_FUNCTION void hw_illegal_instruction(const char *) noexcept { hw_trap(); }

// It stands where atomic operations are meant for the block; the GPU's reach the device.
GPU_FUNCTION void hw_scope_of_block() noexcept {}

GPU_FUNCTION uint32_t hw_check_async_mode() noexcept { return 0; }
