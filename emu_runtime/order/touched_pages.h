// TouchedPages: which bytes a kernel has accessed, and from where.
#ifndef HOSTWARP_EMU_RUNTIME_ORDER_TOUCHED_PAGES_H
#define HOSTWARP_EMU_RUNTIME_ORDER_TOUCHED_PAGES_H

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "emu_runtime/support/page_table.h"
#include "include/hostwarp/check_abi.h"

namespace hostwarp::order {

// How memory is touched. Of atomic accesses, those that only read are Sees.
enum class How : uint8_t { Reads, Writes, Sees, Updates, Allocates, Frees };
inline constexpr size_t accessKinds = 4;  // the first so many are accesses

// howOf(): volatile accesses are how kernels of some ages talk to each other; they count as atomic ones here.
inline How howOf(uint32_t traits) {
  const bool isWrite = (traits & HW_ACCESS_WRITES) != 0;
  const bool isAtomic = (traits & (HW_ACCESS_ATOMIC | HW_ACCESS_VOLATILE)) != 0 && (traits & HW_ACCESS_IN_BLOCK) == 0;
  if (isAtomic) return isWrite ? How::Updates : How::Sees;
  return isWrite ? How::Writes : How::Reads;
}

// Places is where in a kernel each 4 bytes of 64 were touched, in ranges in which that repeats: the fields of
// structures mostly are at places of their own.
using Places = std::array<const hw_access_site *, 16>;

// Touch is a range of bytes that were touched in one way. site: where in a kernel; null: by the call itself. places:
// where, if not all of it at one place.
struct Touch {
  uintptr_t start = 0, end = 0;
  How how = How::Reads;
  const hw_access_site *site = nullptr;
  const Places *places = nullptr;  // stays for good
};

// TouchedPages has a bit for each byte and way, and the first place in the source that set a bit there, for each 64
// bytes, or, where those are of several places, for each 4. What the last accesses from a place have touched without a
// gap is kept aside, until they go on elsewhere. Not thread-safe.
class TouchedPages {
 public:
  void touch(uintptr_t address, size_t bytes, How how, const hw_access_site *site) {
    Stretches &recent = stretches_[slotOf(site, how)];
    for (size_t i = 0; i < recent.each.size(); ++i) {
      Stretch &stretch = recent.each[i];
      if (stretch.site != site || stretch.how != how || address - stretch.start > stretch.end - stretch.start) continue;
      stretch.end = std::max(stretch.end, address + bytes);
      recent.last = i;
      return;
    }
    begin(recent, {address, address + bytes, how, site});
  }
  // touchEach() is for places that may lie far apart, at most kMostPlaces.
  static constexpr size_t kMostPlaces = 32;
  void touchEach(std::span<const uintptr_t> addresses, size_t bytes, How how, const hw_access_site *site);
  // clear() keeps memory for others, as far as that is not too much.
  void clear();
  // ranges() is what was touched, in the order of ways and addresses; nothing more may be touched.
  std::vector<Touch> ranges();

 private:
  static constexpr size_t pageBytes = 4096;
  static constexpr size_t wordBytes = 64;
  // The place of a word's bytes by number; where there are several, `several` and the number of a WordSites.
  static constexpr uint16_t several = 0x8000;
  static constexpr size_t mostSites = several;
  using WordSites = std::array<uint16_t, wordBytes / 4>;
  static constexpr uint16_t noSite = 0xffff;
  struct Page {
    uint16_t whole = noSite;  // the place of all bytes: what follows says nothing
    bool isEmpty = true;
    std::array<uint64_t, pageBytes / wordBytes> bits{};
    std::array<uint16_t, pageBytes / wordBytes> sites;  // of words with bits
    std::vector<WordSites> each;
  };
  struct Stretch : Touch {
    uint16_t number = 0;  // of the site
  };
  // Stretches are the last two from a place: it may be in a loop over two rows.
  struct Stretches {
    std::array<Stretch, 2> each;
    size_t last = 0;  // the one that has grown last
  };

  // Pages are found by number and way in one: by order they are so by way.
  static constexpr unsigned wayShift = 60;
  // Spares are pages that nobody uses: to take memory from the system again for each kernel costs more than the kernel.
  class Spares;
  static std::unique_ptr<Page> newPage();
  Page &pageOf(uintptr_t number, How how) {
    return pages_.at(uint64_t{static_cast<uint8_t>(how)} << wayShift | number, newPage);
  }
  static constexpr size_t kSlots = 32;
  // What reads and writes at one place has two.
  static size_t slotOf(const hw_access_site *site, How how) {
    return site != nullptr ? (site->number * 2 + (how == How::Writes ? 1 : 0)) % kSlots : 0;
  }
  void begin(Stretches &recent, const Touch &next);
  // add() sets the bits.
  void add(const Stretch &stretch);
  static void set(Page &page, size_t from, size_t to, uint16_t site);
  static void setInWord(Page &page, size_t word, uint64_t bits, uint16_t site) {
    const uint64_t isNew = bits & ~page.bits[word];
    if (isNew != 0) setSite(page, word, isNew, site);
    page.bits[word] |= isNew;
  }
  static void setSite(Page &page, size_t word, uint64_t isNew, uint16_t site);
  uint16_t findIndex(const hw_access_site *site);
  void addRanges(How how, uintptr_t number, const Page &page, std::vector<Touch> &ranges) const;
  // addLikes() adds words from this one on that were touched at the same several places; returns how many, 0 where
  // there are not two of them.
  size_t addLikes(How how, uintptr_t start, const Page &page, size_t word, std::vector<Touch> &ranges) const;
  void addWord(How how, uintptr_t start, const Page &page, size_t word, std::vector<Touch> &ranges) const;

  PageTable<Page> pages_;
  std::vector<const hw_access_site *> sites_;
  std::unordered_map<const hw_access_site *, uint16_t> indices_;
  std::array<Stretches, kSlots> stretches_{};
};

}  // namespace hostwarp::order

#endif  // HOSTWARP_EMU_RUNTIME_ORDER_TOUCHED_PAGES_H
