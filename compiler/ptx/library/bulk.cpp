// cp.async.bulk and cp.reduce.async.bulk: done at once, so that committing and waiting have nothing left to do.
#include "compiler/ptx/library/cluster.h"
#include "compiler/ptx/library/reduce_element.h"

// The hardware faults where addresses or sizes are no multiples of 16, unless there is nothing to copy: CUB's loads to
// shared memory ask for no bytes to wherever their tail begins.
static inline void checkAligned(const void *to, const void *from, u32 bytes) {
  if (bytes && ((reinterpret_cast<u64>(to) | reinterpret_cast<u64>(from) | bytes) & 15)) __builtin_trap();
}

HWPTX void hwptx_bulk_to_shared(char *to, const char *from, u32 bytes, u64 *barrier, u32 blocks) {
  checkAligned(to, from, bytes);
  copyToBlocks(to, barrier, bytes, blocks, [&](char *place) { __builtin_memcpy(place, from, bytes); });
}

HWPTX void hwptx_bulk_to_global(char *to, const char *from, u32 bytes) {
  checkAligned(to, from, bytes);
  __builtin_memcpy(to, from, bytes);
}

namespace {

[[gnu::noinline]] void reduceRun(char *to, const char *from, u32 bytes, u32 operation, u32 element, u32 elementBytes) {
  for (u32 at = 0; at < bytes; at += elementBytes) reduceElement(operation, element, to + at, from + at);
}

}  // namespace

// A barrier of null: the reduction belongs to a bulk group.
HWPTX void hwptx_bulk_reduce(char *to, const char *from, u32 bytes, u32 operation, u32 element, u32 elementBytes,
                             u64 *barrier) {
  checkAligned(to, from, bytes);
  reduceRun(to, from, bytes, operation, element, elementBytes);
  if (barrier) hwptx_mbarrier_complete_tx(barrier, bytes);
}
