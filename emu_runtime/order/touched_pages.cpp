#include "emu_runtime/order/touched_pages.h"

#include <algorithm>
#include <span>

namespace hostwarp::order {

TouchedPages::Page &TouchedPages::findPage(uintptr_t number, How how, Recent &recent) {
  std::unique_ptr<Page> &page = pages_[{how, number}];
  if (!page) page = std::make_unique_for_overwrite<Page>();
  recent = {number, page.get()};
  return *page;
}

uint16_t TouchedPages::indexOf(const hw_access_site *site) {
  const auto [place, isNew] = indices_.try_emplace(site, static_cast<uint16_t>(sites_.size()));
  if (isNew && sites_.size() == mostSites)
    place->second = mostSites - 1;  // another place stands for it
  else if (isNew)
    sites_.push_back(site);
  lastSite_ = site;
  return lastIndex_ = place->second;
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
    if (bits == ~uint64_t{0} && std::ranges::count(sites, sites[0]) == std::ssize(sites)) {
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
  std::vector<Touch> ranges;
  for (const auto &[key, page] : pages_) addRanges(key.first, key.second, *page, ranges);
  return ranges;
}

}  // namespace hostwarp::order
