// Pools: the handles and addresses that earlier calls gave out.
#ifndef HOSTWARP_TESTS_STRESS_FUZZ_POOLS_H
#define HOSTWARP_TESTS_STRESS_FUZZ_POOLS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <vector>

#include "tests/stress/random.h"

namespace hostwarp::stress {

// handleKind() names the pool of an opaque handle's type; numbers in pools have the names of their typedefs.
template <typename Handle>
std::string handleKind() {
  return typeid(std::remove_const_t<std::remove_pointer_t<Handle>> *).name();
}

// FreeBlock gives a Block back, which has its alignment.
struct FreeBlock {
  static constexpr std::align_val_t alignment{128};
  void operator()(std::byte *bytes) const { ::operator delete[](bytes, alignment); }
};

// Block is zeroed memory of just so many bytes, aligned for any parameter: a CUtensorMap has to be to 128.
using Block = std::unique_ptr<std::byte[], FreeBlock>;

// Pools is what a program would hold: live handles by kind, and addresses. Entries that were destroyed since stay in
// for a while, and so become the stale ones.
class Pools {
 public:
  Pools();

  void add(const std::string &kind, uint64_t value);
  void addAddress(void *address) { add("address", reinterpret_cast<uint64_t>(address)); }

  // number() draws a handle: mostly one of the kind, sometimes of another kind, null, misaligned or invented; one of
  // the kind for careful callers.
  uint64_t number(Random &random, const std::string &kind, bool careful);
  void *handle(Random &random, const std::string &kind, bool careful);

  // all() lists a kind. Null where there is none.
  const std::vector<uint64_t> &all(const std::string &kind);
  void clear();

  // host() is ordinary memory of the program with addresses that fault on both sides: hostBytes long.
  static constexpr size_t hostBytes = 8 << 20;
  char *host() const { return host_; }
  // waitCell() is device memory that stays 0: streams that wait for it go on at once.
  uint64_t waitCell() const { return waitCell_; }
  void setWaitCell(uint64_t address) { waitCell_ = address; }

  // descriptors are files that exports gave out.
  std::vector<int> &descriptors() { return descriptors_; }

  // keep() takes memory over that must outlive the call it was drawn for.
  void keep(std::vector<Block> blocks) { std::ranges::move(blocks, std::back_inserter(kept_)); }

 private:
  std::map<std::string, std::vector<uint64_t>> values_;
  std::vector<int> descriptors_;
  std::vector<Block> kept_;
  char *host_;
  uint64_t waitCell_ = 0;
  uint64_t replace_ = 0;
};

}  // namespace hostwarp::stress

#endif  // HOSTWARP_TESTS_STRESS_FUZZ_POOLS_H
