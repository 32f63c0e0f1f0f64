#include "emu_runtime/order/touched_pages.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "fibers/mutex.h"

namespace hostwarp::order {

class TouchedPages::Spares {
 public:
  static Spares &process() {
    static auto *spares = new Spares;
    return *spares;
  }

  std::unique_ptr<Page> take() {
    MutexLock lock(mutex_);
    if (pages_.empty()) return std::make_unique_for_overwrite<Page>();
    std::unique_ptr<Page> page = std::move(pages_.back());
    pages_.pop_back();
    return page;
  }
  void give(std::unique_ptr<Page> page) {
    MutexLock lock(mutex_);
    if (pages_.size() < mostPages) pages_.push_back(std::move(page));
  }

 private:
  static constexpr size_t mostPages = size_t{1} << 14;  // 40 megabytes
  Mutex mutex_;
  std::vector<std::unique_ptr<Page>> pages_ HOSTWARP_GUARDED_BY(mutex_);
};

std::unique_ptr<TouchedPages::Page> TouchedPages::newPage() {
  std::unique_ptr<Page> page = Spares::process().take();
  page->bits = {};
  return page;
}

void TouchedPages::clear() {
  pages_.clear([](std::unique_ptr<Page> page) { Spares::process().give(std::move(page)); });
  *this = {};
}

uint16_t TouchedPages::findIndex(const hw_access_site *site) {
  const auto [place, isNew] = indices_.try_emplace(site, static_cast<uint16_t>(sites_.size()));
  if (isNew && sites_.size() == mostSites)
    place->second = mostSites - 1;  // another place stands for it
  else if (isNew)
    sites_.push_back(site);
  return place->second;
}

// addRange() makes one range of those that follow each other and are alike.
static void addRange(std::vector<Touch> &ranges, const Touch &more) {
  if (!ranges.empty() && ranges.back().end == more.start && ranges.back().how == more.how &&
      ranges.back().site == more.site)
    ranges.back().end = more.end;
  else
    ranges.push_back(more);
}

void TouchedPages::addRanges(How how, uintptr_t number, const Page &page, std::vector<Touch> &ranges) const {
  constexpr size_t wordBytes = 64;
  const uintptr_t start = number * pageBytes;
  for (size_t word = 0; word < page.bits.size(); ++word) {
    const uint64_t bits = page.bits[word];
    const size_t first = word * wordBytes;
    const auto sites = std::span(page.sites).subspan(first / 4, wordBytes / 4);
    if (bits == 0) continue;
    if (bits == ~uint64_t{0} && std::memcmp(&sites[0], &sites[1], sites.size_bytes() - sizeof sites[0]) == 0) {
      addRange(ranges, {start + first, start + first + wordBytes, how, sites_[sites[0]]});
      continue;
    }
    for (uint64_t rest = bits; rest != 0; rest &= rest - 1) {
      const auto at = static_cast<size_t>(std::countr_zero(rest));
      addRange(ranges, {start + first + at, start + first + at + 1, how, sites_[sites[at / 4]]});
    }
  }
}

std::vector<Touch> TouchedPages::ranges() const {
  std::vector<std::pair<uint64_t, const Page *>> pages;
  pages_.forEach([&](uint64_t number, const Page &page) { pages.emplace_back(number, &page); });
  std::ranges::sort(pages);
  std::vector<Touch> ranges;
  for (const auto &[number, page] : pages)
    addRanges(static_cast<How>(number >> wayShift), number & ((uint64_t{1} << wayShift) - 1), *page, ranges);
  return ranges;
}

}  // namespace hostwarp::order
