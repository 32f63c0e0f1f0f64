// TouchMap: for each byte the touches that later ones must come after.
#ifndef HOSTWARP_EMU_RUNTIME_ORDER_TOUCH_MAP_H
#define HOSTWARP_EMU_RUNTIME_ORDER_TOUCH_MAP_H

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "emu_runtime/order/work.h"

namespace hostwarp::order {

// Toucher is who touches memory, and in which way.
struct Toucher {
  PartRef part;
  How how = How::Reads;
  const hw_access_site *site = nullptr;
  const Places *places = nullptr;

  // at() is the one who touches the byte there.
  Toucher at(uintptr_t address) const {
    return {part, how, places != nullptr ? (*places)[address % 64 / 4] : site, nullptr};
  }
};

// TouchMap takes touches in an order in which they may have happened. It has, for ranges of bytes, the last write and
// the reads and atomic accesses since, as far as they do not come before another of their kind. Not thread-safe.
class TouchMap {
 public:
  // Judge is told of each earlier touch of a range of bytes that the new one touches.
  using Judge = std::function<void(const Toucher &before, const Toucher &now, uintptr_t start, uintptr_t end)>;

  void add(uintptr_t start, uintptr_t end, const Toucher &now, const Judge &judge);
  // drop() forgets touches; one that has freed memory is kept until others have it.
  void drop(const std::function<bool(const Toucher &)> &isOver);
  size_t size() const { return ranges_.size(); }

 private:
  struct Range {
    uintptr_t end;
    std::vector<Toucher> touchers;
  };
  using Ranges = std::map<uintptr_t, Range>;  // by start; none overlap

  void splitAt(uintptr_t address);
  static void note(std::vector<Toucher> &touchers, const Toucher &now);

  Ranges ranges_;
};

// replaces(): what was there before the touch need not be looked at by later ones.
inline bool replaces(How how) { return how == How::Writes || how == How::Allocates || how == How::Frees; }

}  // namespace hostwarp::order

#endif  // HOSTWARP_EMU_RUNTIME_ORDER_TOUCH_MAP_H
