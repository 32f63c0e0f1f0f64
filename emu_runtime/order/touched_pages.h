// TouchedPages: which bytes a kernel has accessed, and from where.
#ifndef HOSTWARP_EMU_RUNTIME_ORDER_TOUCHED_PAGES_H
#define HOSTWARP_EMU_RUNTIME_ORDER_TOUCHED_PAGES_H

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "include/hostwarp/check_abi.h"

namespace hostwarp::order {

// How memory is touched. Of atomic accesses, those that only read are Sees.
enum class How : uint8_t { Reads, Writes, Sees, Updates, Allocates, Frees };
inline constexpr size_t accessKinds = 4;  // the first so many are accesses

// Touch is a range of bytes that were touched in one way. site: where in a kernel; null: by the call itself.
struct Touch {
  uintptr_t start = 0, end = 0;
  How how = How::Reads;
  const hw_access_site *site = nullptr;
};

// TouchedPages has a bit for each byte and way, and for each 4 bytes the last place in the source that set a bit there.
// Not thread-safe.
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
  // ranges() is what was touched, in the order of ways and addresses.
  std::vector<Touch> ranges() const;

 private:
  static constexpr size_t pageBytes = 4096;
  static constexpr size_t mostSites = 65535;
  struct Page {
    std::array<uint64_t, pageBytes / 64> bits{};
    std::array<uint16_t, pageBytes / 4> sites;  // of bytes whose bits are set
  };
  struct Recent {
    uintptr_t number = 0;
    Page *page = nullptr;
  };

  Page &pageOf(uintptr_t number, How how) {
    Recent &recent = recent_[(number * accessKinds + static_cast<size_t>(how)) % recent_.size()];
    if (recent.page != nullptr && recent.number == number) return *recent.page;
    return findPage(number, how, recent);
  }
  Page &findPage(uintptr_t number, How how, Recent &recent);
  void set(Page &page, size_t from, size_t to, const hw_access_site *site) {
    while (from < to) {
      const size_t word = from / 64, end = std::min(to, (word + 1) * 64);
      const uint64_t upTo = end % 64 == 0 ? ~uint64_t{0} : (uint64_t{1} << end % 64) - 1;
      const uint64_t isNew = upTo & ~uint64_t{0} << from % 64 & ~page.bits[word];
      if (isNew != 0) setSites(page, word, isNew, site == lastSite_ ? lastIndex_ : indexOf(site));
      page.bits[word] |= isNew;
      from = end;
    }
  }
  static void setSites(Page &page, size_t word, uint64_t isNew, uint16_t index) {
    uint16_t *const sites = &page.sites[word * 16];
    if (isNew == ~uint64_t{0}) {
      std::fill_n(sites, 16, index);
      return;
    }
    for (; isNew != 0; isNew &= ~(uint64_t{15} << (std::countr_zero(isNew) & ~3)))
      sites[static_cast<size_t>(std::countr_zero(isNew)) / 4] = index;
  }
  uint16_t indexOf(const hw_access_site *site);
  void addRanges(How how, uintptr_t number, const Page &page, std::vector<Touch> &ranges) const;

  std::map<std::pair<How, uintptr_t>, std::unique_ptr<Page>> pages_;
  std::array<Recent, 512> recent_{};
  std::vector<const hw_access_site *> sites_;
  std::unordered_map<const hw_access_site *, uint16_t> indices_;
  const hw_access_site *lastSite_ = nullptr;
  uint16_t lastIndex_ = 0;
};

}  // namespace hostwarp::order

#endif  // HOSTWARP_EMU_RUNTIME_ORDER_TOUCHED_PAGES_H
