#include "emu_runtime/order/touched_pages.h"

#include <algorithm>
#include <set>
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
    if (pages_.empty()) return std::make_unique<Page>();
    std::unique_ptr<Page> page = std::move(pages_.back());
    pages_.pop_back();
    return page;
  }
  void give(std::unique_ptr<Page> page) {
    page->each = {};
    MutexLock lock(mutex_);
    if (pages_.size() < mostPages) pages_.push_back(std::move(page));
  }

 private:
  static constexpr size_t mostPages = size_t{1} << 16;  // 40 megabytes
  Mutex mutex_;
  std::vector<std::unique_ptr<Page>> pages_ HOSTWARP_GUARDED_BY(mutex_);
};

std::unique_ptr<TouchedPages::Page> TouchedPages::newPage() {
  std::unique_ptr<Page> page = Spares::process().take();
  if (!page->isEmpty && page->whole == noSite) page->bits = {};
  page->whole = noSite;
  page->isEmpty = true;
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
static inline void addRange(std::vector<Touch> &ranges, const Touch &more) {
  if (!ranges.empty() && ranges.back().end == more.start && ranges.back().how == more.how &&
      ranges.back().site == more.site && ranges.back().places == more.places)
    ranges.back().end = more.end;
  else
    ranges.push_back(more);
}

void TouchedPages::begin(Stretches &recent, const Touch &next) {
  Stretch &stretch = recent.each[recent.last ^= 1];
  add(stretch);
  const bool isOfPlace = stretch.site == next.site && next.site != nullptr;
  stretch = {next, isOfPlace ? stretch.number : findIndex(next.site)};
}

void TouchedPages::touchEach(std::span<const uintptr_t> addresses, size_t bytes, How how, const hw_access_site *site) {
  Stretches &recent = stretches_[slotOf(site, how)];
  if (recent.each[recent.last].site != site) begin(recent, {.how = how, .site = site});
  const uint16_t number = recent.each[recent.last].number;
  // What lies in one word is one piece. The processor shall fetch the words of all pieces at once.
  struct Piece {
    Page *page;
    uintptr_t word;
    uint64_t bits;
  };
  std::array<Piece, kMostPlaces> pieces;
  size_t count = 0;
  for (const uintptr_t address : addresses) {
    const size_t inWord = address % wordBytes;
    if (inWord + bytes > wordBytes) {
      add({{address, address + bytes, how, site}, number});
      continue;
    }
    const uint64_t bits = (bytes == wordBytes ? ~uint64_t{0} : (uint64_t{1} << bytes) - 1) << inWord;
    if (count != 0 && pieces[count - 1].word == address / wordBytes) {
      pieces[count - 1].bits |= bits;
      continue;
    }
    Page &page = pageOf(address / pageBytes, how);
    __builtin_prefetch(&page.bits[address % pageBytes / wordBytes]);
    __builtin_prefetch(&page.sites[address % pageBytes / wordBytes]);
    pieces[count++] = {&page, address / wordBytes, bits};
  }
  for (size_t i = 0; i < count; ++i) {
    Page &page = *pieces[i].page;
    if (page.whole != noSite) continue;
    page.isEmpty = false;
    setInWord(page, pieces[i].word % (pageBytes / wordBytes), pieces[i].bits, number);
  }
}

void TouchedPages::add(const Stretch &stretch) {
  if (stretch.start == stretch.end) return;
  for (uintptr_t at = stretch.start; at < stretch.end;) {
    const size_t offset = at % pageBytes, part = std::min<size_t>(stretch.end - at, pageBytes - offset);
    set(pageOf(at / pageBytes, stretch.how), offset, offset + part, stretch.number);
    at += part;
  }
}

void TouchedPages::set(Page &page, size_t from, size_t to, uint16_t site) {
  if (page.whole != noSite) return;
  if (std::exchange(page.isEmpty, false) && to - from == pageBytes) {
    page.whole = site;
    return;
  }
  while (from < to) {
    const size_t word = from / wordBytes, end = std::min(to, (word + 1) * wordBytes);
    const uint64_t upTo = end % wordBytes == 0 ? ~uint64_t{0} : (uint64_t{1} << end % wordBytes) - 1;
    setInWord(page, word, upTo & ~uint64_t{0} << from % wordBytes, site);
    from = end;
  }
}

void TouchedPages::setSite(Page &page, size_t word, uint64_t isNew, uint16_t site) {
  uint16_t &ofWord = page.sites[word];
  if (page.bits[word] == 0) ofWord = site;
  if (ofWord == site) return;
  if ((ofWord & several) == 0) {
    WordSites each;
    each.fill(ofWord);
    ofWord = static_cast<uint16_t>(several | page.each.size());
    page.each.push_back(each);
  }
  WordSites &each = page.each[ofWord & ~several];
  for (; isNew != 0; isNew &= ~(uint64_t{15} << (std::countr_zero(isNew) & ~3)))
    each[static_cast<size_t>(std::countr_zero(isNew)) / 4] = site;
}

// addWord() adds what is touched of the 64 bytes at `start`.
void TouchedPages::addWord(How how, uintptr_t start, const Page &page, size_t word, std::vector<Touch> &ranges) const {
  const uint64_t bits = page.bits[word];
  const uint16_t site = page.sites[word];
  const bool isOfOne = (site & several) == 0;
  if (bits == ~uint64_t{0} && isOfOne) return addRange(ranges, {start, start + wordBytes, how, sites_[site]});
  const auto siteAt = [&](size_t offset) { return sites_[isOfOne ? site : page.each[site & ~several][offset / 4]]; };
  for (size_t at = 0, step = 0; at < wordBytes; at += step) {
    const uint64_t fourBits = bits >> (at & ~size_t{3}) & 15;
    step = fourBits == 15 || fourBits == 0 ? 4 : 1;
    if ((bits >> at & 1) != 0) addRange(ranges, {start + at, start + at + step, how, siteAt(at)});
  }
}

// kept() is the same for places that are the same. Thread-safe.
static const Places *kept(const Places &places) {
  static auto *mutex = new Mutex;
  static auto *all = new std::set<Places>;
  MutexLock lock(*mutex);
  return &*all->insert(places).first;
}

size_t TouchedPages::addLikes(How how, uintptr_t start, const Page &page, size_t word,
                              std::vector<Touch> &ranges) const {
  const auto isWhole = [&](size_t each) {
    return page.bits[each] == ~uint64_t{0} && (page.sites[each] & several) != 0;
  };
  if (!isWhole(word)) return 0;
  const WordSites &sites = page.each[page.sites[word] & ~several];
  size_t end = word + 1;
  while (end < page.bits.size() && isWhole(end) && page.each[page.sites[end] & ~several] == sites) ++end;
  if (end - word < 2) return 0;
  Places places;
  std::ranges::transform(sites, places.begin(), [&](uint16_t site) { return sites_[site]; });
  addRange(ranges, {start, start + (end - word) * wordBytes, how, places[0], kept(places)});
  return end - word;
}

void TouchedPages::addRanges(How how, uintptr_t number, const Page &page, std::vector<Touch> &ranges) const {
  if (page.whole != noSite)
    return addRange(ranges, {number * pageBytes, (number + 1) * pageBytes, how, sites_[page.whole]});
  for (size_t word = 0; word < page.bits.size(); ++word) {
    if (page.bits[word] == 0) continue;
    const uintptr_t start = number * pageBytes + word * wordBytes;
    if (const size_t likes = addLikes(how, start, page, word, ranges))
      word += likes - 1;
    else
      addWord(how, start, page, word, ranges);
  }
}

std::vector<Touch> TouchedPages::ranges() {
  for (Stretches &recent : stretches_)
    for (Stretch &stretch : recent.each) add(std::exchange(stretch, {}));
  std::vector<std::pair<uint64_t, const Page *>> pages;
  pages_.forEach([&](uint64_t number, const Page &page) { pages.emplace_back(number, &page); });
  std::ranges::sort(pages);
  std::vector<Touch> ranges;
  for (const auto &[number, page] : pages)
    addRanges(static_cast<How>(number >> wayShift), number & ((uint64_t{1} << wayShift) - 1), *page, ranges);
  return ranges;
}

}  // namespace hostwarp::order
