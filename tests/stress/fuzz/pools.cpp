#include "tests/stress/fuzz/pools.h"

#include <sys/mman.h>

#include <cstdlib>

namespace hostwarp::stress {

namespace {
constexpr size_t capacity = 48;
constexpr size_t guard = 1 << 20;
}  // namespace

Pools::Pools() {
  void *all = mmap(nullptr, hostBytes + 2 * guard, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) std::abort();
  host_ = static_cast<char *>(all) + guard;
  if (mprotect(host_, hostBytes, PROT_READ | PROT_WRITE)) std::abort();
}

// Addresses of the program's own memory, registered or a module's variables, are not noted: calls that miss it by a
// little would be overwriting the program.
void Pools::add(const std::string &kind, uint64_t value) {
  constexpr uint64_t endOfReserved = uint64_t{0x40} << 40;
  if (kind == "address" && value >= endOfReserved) return;
  std::vector<uint64_t> &values = values_[kind];
  if (values.size() < capacity) {
    values.push_back(value);
  } else {
    values[replace_++ % capacity] = value;
  }
}

uint64_t Pools::number(Random &random, const std::string &kind, bool careful) {
  const std::vector<uint64_t> &values = all(kind);
  const uint64_t choice = careful ? 0 : random.below(20);
  if (choice < 14 && !values.empty()) return random.of(values);
  if (choice < 16) return 0;
  if (choice == 16) return random.below(4);  // 1 and 2 are streams
  if (choice == 17 && !values.empty()) return random.of(values) + 1;
  if (choice == 18) {
    auto other = values_.begin();
    std::advance(other, random.below(values_.size()));
    return other->second.empty() ? 0 : random.of(other->second);
  }
  const uint64_t invented[] = {0xdeadbeef, ~uint64_t{0}, 0x7fffdeadbee0, uint64_t{1} << 63, random.next()};
  return random.of(invented);
}

void *Pools::handle(Random &random, const std::string &kind, bool careful) {
  return reinterpret_cast<void *>(number(random, kind, careful));  // NOLINT(performance-no-int-to-ptr)
}

const std::vector<uint64_t> &Pools::all(const std::string &kind) { return values_[kind]; }

void Pools::clear() {
  for (auto &[kind, values] : values_) {
    // Some of the old ones stay, as stale handles.
    if (values.size() > 2) values.resize(2);
  }
}

}  // namespace hostwarp::stress
