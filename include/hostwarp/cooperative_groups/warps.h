// What tiles of several warps share: one word of each warp.
#ifndef HOSTWARP_COOPERATIVE_GROUPS_WARPS_H
#define HOSTWARP_COOPERATIVE_GROUPS_WARPS_H

#include "lanes.h"

namespace cooperative_groups {
namespace detail {

// WarpValues are the words that the warps of the calling thread's tile of Size threads gave.
template <unsigned Size>
class WarpValues {
 public:
  static constexpr unsigned warps = Size / 32;

  // The constructor waits for the tile. All threads of a warp pass the same word.
  explicit HOSTWARP_DEVICE WarpValues(unsigned long long mine) : mine_(mine) { hw_tile_together(Size, this, share); }

  template <class T>
  HOSTWARP_DEVICE T get(unsigned warp) const {
    return fromWord<T>(words_[warp]);
  }

 private:
  static HOSTWARP_DEVICE_FUNCTION void share(void *const *threads) {
    unsigned long long words[warps] = {};
    for (unsigned i = 0; i < Size; ++i)
      if (threads[i]) words[i / 32] = static_cast<const WarpValues *>(threads[i])->mine_;
    for (unsigned i = 0; i < Size; ++i)
      for (unsigned warp = 0; threads[i] && warp < warps; ++warp)
        static_cast<WarpValues *>(threads[i])->words_[warp] = words[warp];
  }

  unsigned long long mine_, words_[warps];
};

// BlockValues are the values, of any trivially copyable type, that the warps of the calling thread's block gave.
template <class T>
class BlockValues {
 public:
  static constexpr unsigned most = 1024;  // threads

  // The constructor waits for the block. All threads of a warp pass the same value.
  explicit HOSTWARP_DEVICE BlockValues(const T &mine) {
    memcpy(mine_, &mine, sizeof(T));
    hw_tile_together(most, this, share);
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
  static HOSTWARP_DEVICE_FUNCTION void share(void *const *threads) {
    for (unsigned i = 0; i < most; ++i)
      for (unsigned warp = 0; threads[i] && warp < most / 32; ++warp)
        if (threads[warp * 32])
          memcpy(static_cast<BlockValues *>(threads[i])->values_[warp],
                 static_cast<const BlockValues *>(threads[warp * 32])->mine_, sizeof(T));
  }

  unsigned char mine_[sizeof(T)], values_[most / 32][sizeof(T)];
};

}  // namespace detail
}  // namespace cooperative_groups

#endif  // HOSTWARP_COOPERATIVE_GROUPS_WARPS_H
