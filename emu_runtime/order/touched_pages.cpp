#include "emu_runtime/order/touched_pages.h"

namespace hostwarp::order {

TouchedPages::Page &TouchedPages::findPage(uintptr_t number, How how, Recent &recent) {
  std::unique_ptr<Page> &page = pages_[{how, number}];
  if (!page) page = std::make_unique<Page>();
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

void TouchedPages::addRanges(How how, uintptr_t number, const Page &page, std::vector<Touch> &ranges) const {
  for (size_t offset = 0; offset < pageBytes; ++offset) {
    const uint64_t word = page.bits[offset / 64];
    if (word == 0) {
      offset |= 63;
      continue;
    }
    if ((word >> offset % 64 & 1) == 0) continue;
    const uintptr_t address = number * pageBytes + offset;
    const hw_access_site *const site = sites_[page.sites[offset / 4]];
    if (!ranges.empty() && ranges.back().end == address && ranges.back().how == how && ranges.back().site == site)
      ++ranges.back().end;
    else
      ranges.push_back({address, address + 1, how, site});
  }
}

std::vector<Touch> TouchedPages::ranges() const {
  std::vector<Touch> ranges;
  for (const auto &[key, page] : pages_) addRanges(key.first, key.second, *page, ranges);
  return ranges;
}

}  // namespace hostwarp::order
