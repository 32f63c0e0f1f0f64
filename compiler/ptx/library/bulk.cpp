// cp.async.bulk and cp.reduce.async.bulk.
#include "compiler/ptx/library/cluster.h"
#include "compiler/ptx/library/operands.h"
#include "compiler/ptx/library/reduce_element.h"

// The hardware faults where addresses are no multiples of 16, unless there is nothing to copy: CUB's loads to shared
// memory ask for no bytes to wherever their tail begins. It leaves out what a size has beyond a multiple of 16, which
// no program means.
static inline void checkBulk(const void *to, const void *from, u32 bytes) {
  if (!bytes) return;
  checkAligned(to, 16);
  checkAligned(from, 16);
  if (bytes & 15) hw_illegal_instruction("the size of a bulk copy is a multiple of 16 bytes");
}

HWPTX void hwptx_bulk_to_shared(char *to, const char *from, u32 bytes, u64 *barrier, u32 blocks) {
  checkBulk(to, from, bytes);
  copyToBlocks(to, barrier, blocks, [=](char *place, u64 *told) __attribute__((always_inline)) {
    tell(HW_ASYNC_READS, from, bytes);
    tell(HW_ASYNC_WRITES, place, bytes);
    perform([=] {
      __builtin_memcpy(place, from, bytes);
      hwptx_mbarrier_complete_tx(told, bytes);
    });
  });
}

HWPTX void hwptx_bulk_to_global(char *to, const char *from, u32 bytes) {
  checkBulk(to, from, bytes);
  tell(HW_ASYNC_BULK);
  tell(HW_ASYNC_READS, from, bytes);
  tell(HW_ASYNC_WRITES, to, bytes);
  perform([=] { __builtin_memcpy(to, from, bytes); });
}

namespace {

[[gnu::noinline]] void reduceRun(char *to, const char *from, u32 bytes, u32 operation, u32 element, u32 elementBytes) {
  for (u32 at = 0; at < bytes; at += elementBytes) reduceElement(operation, element, to + at, from + at);
}

}  // namespace

// A barrier of null: the reduction belongs to a bulk group.
HWPTX void hwptx_bulk_reduce(char *to, const char *from, u32 bytes, u32 operation, u32 element, u32 elementBytes,
                             u64 *barrier) {
  checkBulk(to, from, bytes);
  if (barrier)
    tell(HW_ASYNC_TRANSFER, barrier);
  else
    tell(HW_ASYNC_BULK);
  tell(HW_ASYNC_READS, from, bytes);
  tell(updateEvent(operation, element), to, bytes);
  perform([=] {
    reduceRun(to, from, bytes, operation, element, elementBytes);
    if (barrier) hwptx_mbarrier_complete_tx(barrier, bytes);
  });
}

HWPTX void hwptx_bulk_prefetch(const char *from, u32 bytes) { checkBulk(from, from, bytes); }
