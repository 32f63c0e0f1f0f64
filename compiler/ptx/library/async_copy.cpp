// cp.async, st.async and red.async.
#include "compiler/ptx/library/in_flight.h"
#include "compiler/ptx/library/reduce_element.h"

extern "C" void hwptx_mbarrier_complete_tx(u64 *barrier, u32 bytes) noexcept;

namespace {

HWPTX_WITHIN void copyAndFill(char *to, const char *from, u32 size, u32 bytes) {
  if (bytes >= size) {
    __builtin_memcpy(to, from, size);
    return;
  }
  for (u32 i = 0; i < size; ++i) to[i] = i < bytes ? from[i] : 0;
}

}  // namespace

// cp_async copies `bytes` of `size` bytes and fills up with zeros.
HWPTX void hwptx_cp_async(char *to, const char *from, u32 size, u32 bytes) {
  tell(HW_ASYNC_COPY);
  if (bytes) tell(HW_ASYNC_READS, from, bytes < size ? bytes : size);
  tell(HW_ASYNC_WRITES, to, size);
  perform([=] { copyAndFill(to, from, size, bytes); });
}

// store_async stores as many bytes of both words and tells the barrier.
HWPTX void hwptx_store_async(char *to, u64 low, u64 high, u32 bytes, u64 *barrier) {
  const u128 value = low | u128(high) << 64;
  tell(HW_ASYNC_STORE, barrier);
  tell(HW_ASYNC_WRITES, to, bytes);
  perform([=] {
    __builtin_memcpy(to, &value, bytes);
    hwptx_mbarrier_complete_tx(barrier, bytes);
  });
}

// reduce_async updates an element and tells the barrier.
HWPTX void hwptx_reduce_async(char *to, u64 value, u32 operation, u32 element, u32 bytes, u64 *barrier) {
  tell(HW_ASYNC_STORE, barrier);
  tell(HW_ASYNC_UPDATES, to, bytes);
  perform([=] {
    reduceElement(operation, element, to, &value);
    hwptx_mbarrier_complete_tx(barrier, bytes);
  });
}
