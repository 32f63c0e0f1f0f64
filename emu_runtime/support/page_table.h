// PageTable: what is kept of pages of memory.
#ifndef HOSTWARP_EMU_RUNTIME_SUPPORT_PAGE_TABLE_H
#define HOSTWARP_EMU_RUNTIME_SUPPORT_PAGE_TABLE_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace hostwarp {

// PageTable finds pages by their numbers: by one look, mostly, where a map would take a dozen. Pages stay where they
// are. Not thread-safe.
template <class Page>
class PageTable {
 public:
  // find() is null where there is no such page.
  Page *find(uint64_t number) const { return slots_[slotOf(number)].page.get(); }
  // at() makes the page with `make`, a function that returns std::unique_ptr<Page>, where there is none.
  template <class Make>
  Page &at(uint64_t number, Make make) {
    Recent &recent = recent_[number * factor >> (64 - recentBits)];
    if (recent.page == nullptr || recent.number != number) recent = {number, &find(number, make)};
    return *recent.page;
  }
  bool empty() const { return count_ == 0; }
  // clear() hands each page to `give`, a function of std::unique_ptr<Page>.
  template <class Give>
  void clear(Give give) {
    for (Slot &slot : slots_)
      if (slot.page) give(std::move(slot.page));
    *this = {};
  }
  // forEach() visits them in no order, each with its number.
  template <class Visit>
  void forEach(Visit visit) const {
    for (const Slot &slot : slots_)
      if (slot.page) visit(slot.number, *slot.page);
  }

 private:
  struct Slot {
    uint64_t number = 0;
    std::unique_ptr<Page> page;  // null: free
  };

  struct Recent {
    uint64_t number = 0;
    Page *page = nullptr;
  };

  template <class Make>
  Page &find(uint64_t number, Make make) {
    const size_t slot = slotOf(number);
    return slots_[slot].page ? *slots_[slot].page : add(slot, number, make());
  }
  // slotOf() is where the page is, or would be put. Half of the slots are free.
  size_t slotOf(uint64_t number) const {
    size_t slot = number * factor >> shift_;
    while (slots_[slot].page && slots_[slot].number != number) slot = (slot + 1) % slots_.size();
    return slot;
  }
  Page &add(size_t slot, uint64_t number, std::unique_ptr<Page> page) {
    Page &made = *page;
    slots_[slot] = {number, std::move(page)};
    if (++count_ * 2 > slots_.size()) grow();
    return made;
  }
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    --shift_;
    for (Slot &slot : old)
      if (slot.page) slots_[slotOf(slot.number)] = std::move(slot);
  }

  static constexpr uint64_t factor = 0x9e3779b97f4a7c15u;  // spreads numbers over the upper bits
  static constexpr unsigned leastBits = 6, recentBits = 5;
  std::vector<Slot> slots_ = std::vector<Slot>(size_t{1} << leastBits);
  unsigned shift_ = 64 - leastBits;
  size_t count_ = 0;
  // The last ones found: the slots of large memory are not in the cache themselves.
  std::array<Recent, size_t{1} << recentBits> recent_{};
};

}  // namespace hostwarp

#endif  // HOSTWARP_EMU_RUNTIME_SUPPORT_PAGE_TABLE_H
