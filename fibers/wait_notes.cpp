// Whether code of several units, linked together, may come to a place where a thread waits for another.
#include <atomic>
#include <unordered_set>
#include <vector>

#include "fibers/engine_section.h"

namespace {

// Search goes through the notes from one on.
class Search {
 public:
  explicit Search(const hw_wait_note &first) { visit(&first); }

  bool findsWait() {
    while (!open_.empty() && !found_) {
      const hw_wait_note &note = *open_.back();
      open_.pop_back();
      found_ = note.answer == HW_WAITS_SOMEWHERE;
      if (note.answer != HW_WAITS_UNKNOWN) continue;
      for (uint32_t i = 0; i < note.count; ++i) visit(note.callees[i]);
      for (auto each = note.firstAddress; each != note.endOfAddresses; ++each) visit(*each);
    }
    return found_;
  }

 private:
  // visit(): a function without a note comes from an object of an older version.
  void visit(const hw_wait_note *note) {
    found_ |= note == nullptr;
    if (note != nullptr && seen_.insert(note).second) open_.push_back(note);
  }

  std::unordered_set<const hw_wait_note *> seen_;
  std::vector<const hw_wait_note *> open_;
  bool found_ = false;
};

}  // namespace

extern "C" HOSTWARP_ABI uint32_t hw_may_wait(hw_wait_note *note) noexcept {
  std::atomic_ref<uint32_t> answer(note->answer);
  const uint32_t known = answer.load(std::memory_order_relaxed);
  if (known != HW_WAITS_UNKNOWN) return known == HW_WAITS_SOMEWHERE;
  hostwarp::fibers::EngineSection section;
  const bool waits = Search(*note).findsWait();
  answer.store(waits ? HW_WAITS_SOMEWHERE : HW_WAITS_NEVER, std::memory_order_relaxed);
  return waits;
}
