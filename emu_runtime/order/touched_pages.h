// TouchedPages: which bytes a kernel has accessed, and from where.
#ifndef HOSTWARP_EMU_RUNTIME_ORDER_TOUCHED_PAGES_H
#define HOSTWARP_EMU_RUNTIME_ORDER_TOUCHED_PAGES_H

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
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

// Touch is a range of bytes that were touched in one way. site: where in a kernel; null: by the call itself.
struct Touch {
  uintptr_t start = 0, end = 0;
  How how = How::Reads;
  const hw_access_site *site = nullptr;
};

// TouchedPages has a bit for each byte and way, and the last place in the source that set a bit there: for each 64
// bytes, or, in pages where those are of several places, for each 4. Not thread-safe.
class TouchedPages {
 public:
  void touch(uintptr_t address, size_t bytes, How how, const hw_access_site *site) {
    while (bytes != 0) {
      const size_t offset = address % pageBytes, part = bytes < pageBytes - offset ? bytes : pageBytes - offset;
      set(pageOf(address / pageBytes, how), offset, offset + part, site);
      address += part;
      bytes -= part;
    }
  }
  bool empty() const { return pages_.empty(); }
  // clear() keeps memory for others, as far as that is not too much.
  void clear();
  // ranges() is what was touched, in the order of ways and addresses.
  std::vector<Touch> ranges() const;

 private:
  static constexpr size_t pageBytes = 4096;
  static constexpr size_t mostSites = 65535;
  static constexpr size_t wordBytes = 64;
  using Sites = std::array<uint16_t, pageBytes / 4>;
  struct Page {
    std::array<uint64_t, pageBytes / wordBytes> bits{};
    std::array<uint16_t, pageBytes / wordBytes> sites;  // of words with bits, unless there is `each`
    std::unique_ptr<Sites> each;                        // of bytes whose bits are set
  };

  // Pages are found by number and way in one: by order they are so by way.
  static constexpr unsigned wayShift = 60;
  // Spares are pages that nobody uses: to take memory from the system again for each kernel costs more than the kernel.
  class Spares;
  static std::unique_ptr<Page> newPage();
  Page &pageOf(uintptr_t number, How how) {
    return pages_.at(uint64_t{static_cast<uint8_t>(how)} << wayShift | number, newPage);
  }
  void set(Page &page, size_t from, size_t to, const hw_access_site *site) {
    while (from < to) {
      const size_t word = from / wordBytes, end = std::min(to, (word + 1) * wordBytes);
      const uint64_t upTo = end % wordBytes == 0 ? ~uint64_t{0} : (uint64_t{1} << end % wordBytes) - 1;
      const uint64_t isNew = upTo & ~uint64_t{0} << from % wordBytes & ~page.bits[word];
      if (isNew != 0) setSites(page, word, isNew, indexOf(site));
      page.bits[word] |= isNew;
      from = end;
    }
  }
  static void setSites(Page &page, size_t word, uint64_t isNew, uint16_t index) {
    if (page.bits[word] == 0 && !page.each)
      page.sites[word] = index;
    else if (page.each || page.sites[word] != index)
      setEach(page, word, isNew, index);
  }
  static void setEach(Page &page, size_t word, uint64_t isNew, uint16_t index);
  struct Recent {
    const hw_access_site *site = nullptr;
    uint16_t index = 0;
  };
  uint16_t indexOf(const hw_access_site *site) {
    Recent &recent = recent_[reinterpret_cast<uintptr_t>(site) / sizeof(hw_access_site) % recent_.size()];
    if (recent.site != site || site == nullptr) recent = {site, findIndex(site)};
    return recent.index;
  }
  uint16_t findIndex(const hw_access_site *site);
  void addRanges(How how, uintptr_t number, const Page &page, std::vector<Touch> &ranges) const;
  void addWord(How how, uintptr_t start, const Page &page, size_t word, std::vector<Touch> &ranges) const;

  PageTable<Page> pages_;
  std::vector<const hw_access_site *> sites_;
  std::unordered_map<const hw_access_site *, uint16_t> indices_;
  std::array<Recent, 16> recent_{};
};

}  // namespace hostwarp::order

#endif  // HOSTWARP_EMU_RUNTIME_ORDER_TOUCHED_PAGES_H
