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

}  // namespace detail
}  // namespace cooperative_groups

#endif  // HOSTWARP_COOPERATIVE_GROUPS_WARPS_H
