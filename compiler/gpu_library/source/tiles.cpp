// Tiles of several warps: their barriers, and what their warps tell one another, in shared memory. From 8.0 on the
// driver keeps memory there for barriers, which is zero when a block starts.
#include "compiler/gpu_library/source/interface.h"

// As the header has it.
namespace cooperative_groups {
namespace detail {
struct Exchange {
  const void *mine;
  void *all;
  unsigned bytes;
};
}  // namespace detail
}  // namespace cooperative_groups

GPU_FUNCTION unsigned hw_read_linear_thread();
GPU_FUNCTION void __assertfail(const char *message, const char *file, unsigned line, const char *function,
                               size_t charSize);

namespace {

// Tile says which threads of the block the calling thread's tile has: the last one may be a part.
struct Tile {
  unsigned first, warps, thread;
  unsigned *barrier;
};

GPU_INLINE unsigned threadsOfBlock() {
  return __nvvm_read_ptx_sreg_ntid_x() * __nvvm_read_ptx_sreg_ntid_y() * __nvvm_read_ptx_sreg_ntid_z();
}

// barrierAt() is a word of its own for each tile of each size.
GPU_INLINE unsigned *barrierAt(unsigned index) {
  unsigned start;
  asm("mov.u32 %0, %%reserved_smem_offset_1;" : "=r"(start));
  uint64_t address;
  asm("cvta.shared.u64 %0, %1;" : "=l"(address) : "l"(static_cast<uint64_t>(start)));
  return reinterpret_cast<unsigned *>(address) + index;
}

GPU_INLINE Tile tileOf(unsigned threads) {
  const unsigned thread = hw_read_linear_thread(), number = thread / threads, first = number * threads;
  const unsigned left = threadsOfBlock() - first;
  return {first, ((left < threads ? left : threads) + 31) / 32, thread, barrierAt(1024 / threads + number)};
}

GPU_INLINE void meetInWarp(const Tile &tile) {
  const unsigned left = threadsOfBlock() - tile.thread / 32 * 32;
  asm volatile("bar.warp.sync %0;" ::"r"(left < 32 ? (1u << left) - 1 : ~0u) : "memory");
}

// meet() is a barrier: each warp adds one to the word, and waits until all have for the same round.
GPU_INLINE void meet(const Tile &tile) {
  meetInWarp(tile);
  if (tile.thread % 32 == 0) {
    unsigned before, now;
    asm volatile("fence.acq_rel.cta; atom.add.relaxed.cta.u32 %0, [%1], 1;"
                 : "=r"(before)
                 : "l"(tile.barrier)
                 : "memory");
    const unsigned all = (before / tile.warps + 1) * tile.warps;
    do {
      asm volatile("ld.acquire.cta.u32 %0, [%1];" : "=r"(now) : "l"(tile.barrier) : "memory");
    } while (static_cast<int>(now - all) < 0);
    asm volatile("fence.acq_rel.cta;" ::: "memory");
  }
  meetInWarp(tile);
}

__attribute__((device)) void needs80() {
  if (hw_gpu_architecture < 80)
    __assertfail("tiles of several warps need a GPU of 8.0 or newer", "cooperative_groups.h", 0, "", 1);
}

// A word of each warp of the block.
__attribute__((device, shared)) uint64_t words[32];

}  // namespace

static __attribute__((device, noinline)) void meetTile(unsigned threads) {
  needs80();
  if (hw_gpu_architecture >= 80) meet(tileOf(threads));
}

GPU_FUNCTION void hw_tile_together(uint32_t threads, void *, void (*work)(void *const *)) noexcept {
  if (work) __assertfail("the program was compiled by an older hwcc", "cooperative_groups.h", 0, "", 1);
  meetTile(threads);
}

namespace cooperative_groups {
namespace detail {

// Eight bytes at a time: one thread of each warp writes, and all read.
__attribute__((device, noinline)) void shareAmongWarps(unsigned threads, Exchange &mine, void (*)(void *const *)) {
  needs80();
  if (hw_gpu_architecture < 80) return;
  const Tile tile = tileOf(threads);
  const unsigned firstWarp = tile.first / 32;
  for (unsigned done = 0; done < mine.bytes; done += sizeof(uint64_t)) {
    const unsigned bytes = mine.bytes - done < sizeof(uint64_t) ? mine.bytes - done : sizeof(uint64_t);
    if (tile.thread % 32 == 0)
      __builtin_memcpy(&words[tile.thread / 32], static_cast<const char *>(mine.mine) + done, bytes);
    meet(tile);
    for (unsigned warp = 0; warp < tile.warps; ++warp)
      __builtin_memcpy(static_cast<char *>(mine.all) + warp * mine.bytes + done, &words[firstWarp + warp], bytes);
    meet(tile);
  }
}

}  // namespace detail
}  // namespace cooperative_groups
