// What tiles of several warps share: one word of each warp.
#ifndef HOSTWARP_COOPERATIVE_GROUPS_WARPS_H
#define HOSTWARP_COOPERATIVE_GROUPS_WARPS_H

#include "lanes.h"

namespace cooperative_groups {
namespace detail {

// Exchange is what a thread hands to the others of its tile: `bytes` bytes from its warp, and room for those of all
// warps of the tile.
struct Exchange {
  const void *mine;
  void *all;
  unsigned bytes;
};

// shareAmongWarps() waits for the tile of `threads` threads and has `work` fill each exchange's `all`. All threads of a
// warp pass the same bytes. A GPU goes another way (compiler/gpu_library).
HOSTWARP_DEVICE void shareAmongWarps(unsigned threads, Exchange &mine, void (*work)(void *const *)) {
  hw_tile_together(threads, &mine, work);
}

// firstOf() is what the first lane that is there has handed over; null: none is.
HOSTWARP_DEVICE_FUNCTION const Exchange *firstOf(void *const *warp) {
  unsigned lane = 0;
  while (lane < 31 && !warp[lane]) ++lane;
  return static_cast<const Exchange *>(warp[lane]);
}

// shareInTile() does it for all threads of a tile of Size, with Bytes from each warp.
template <unsigned Size, unsigned Bytes>
HOSTWARP_DEVICE_FUNCTION void shareInTile(void *const *threads) {
  unsigned char all[Size / 32][Bytes] = {};
  for (unsigned warp = 0; warp < Size / 32; ++warp)
    if (const Exchange *from = firstOf(threads + warp * 32)) memcpy(all[warp], from->mine, Bytes);
  for (unsigned i = 0; i < Size; ++i)
    if (threads[i]) memcpy(static_cast<Exchange *>(threads[i])->all, all, sizeof(all));
}

// WarpValues are the words that the warps of the calling thread's tile of Size threads gave.
template <unsigned Size>
class WarpValues {
 public:
  static constexpr unsigned warps = Size / 32;

  // The constructor waits for the tile. All threads of a warp pass the same word.
  explicit HOSTWARP_DEVICE WarpValues(unsigned long long mine) : words_() {
    Exchange exchange = {&mine, words_, sizeof mine};
    shareAmongWarps(Size, exchange, shareInTile<Size, sizeof mine>);
  }

  template <class T>
  HOSTWARP_DEVICE T get(unsigned warp) const {
    return fromWord<T>(words_[warp]);
  }

 private:
  unsigned long long words_[warps];
};

// BlockValues are the values, of any trivially copyable type, that the warps of the calling thread's block gave.
template <class T>
class BlockValues {
 public:
  static constexpr unsigned most = 1024;  // threads

  // The constructor waits for the block. All threads of a warp pass the same value.
  explicit HOSTWARP_DEVICE BlockValues(const T &mine) {
    Exchange exchange = {&mine, values_, sizeof(T)};
    shareAmongWarps(most, exchange, shareInTile<most, sizeof(T)>);
  }

  static HOSTWARP_DEVICE unsigned warps() {
    const hw_thread *self = hw_self();
    return (self->blockDim.x * self->blockDim.y * self->blockDim.z + 31) / 32;
  }
  HOSTWARP_DEVICE T operator[](unsigned warp) const {
    T value;
    memcpy(&value, values_[warp], sizeof(T));
    return value;
  }

 private:
  unsigned char values_[most / 32][sizeof(T)];
};

}  // namespace detail
}  // namespace cooperative_groups

#endif  // HOSTWARP_COOPERATIVE_GROUPS_WARPS_H
