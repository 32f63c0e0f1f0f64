#include "emu_runtime/digests/objects.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>
#include <utility>

#include "emu_runtime/digests/digest.h"
#include "emu_runtime/digests/host_ranges.h"

namespace hostwarp::digests {

using compare_wire::Address;
using compare_wire::ObjectId;

namespace {

uintptr_t addressOf(const void *pointer) { return reinterpret_cast<uintptr_t>(pointer); }

// What no pointer to data is: the first page, and what needs more than 48 bits.
constexpr uint64_t lowest = 4096, highest = uint64_t{1} << 48;

}  // namespace

Object &Objects::insert(Object object) {
  const uintptr_t start = object.start;
  // What lay there before is gone.
  const uintptr_t end = start + std::max<size_t>(object.bytes, 1);
  auto first = objects_.upper_bound(start);
  if (first != objects_.begin() && std::prev(first)->second.contains(start)) --first;
  const auto last = objects_.lower_bound(end);
  for (auto each = first; each != last; ++each) {
    starts_.erase(each->second.id);
    if (each->second.isLive && each->second.side == Side::Shared) --sharedCount_;
  }
  objects_.erase(first, last);
  starts_[object.id] = start;
  if (object.side == Side::Shared) ++sharedCount_;
  return objects_.insert_or_assign(start, std::move(object)).first->second;
}

Object &Objects::add(const char *entry, std::string call, const void *start, size_t bytes, Side side) {
  Object object{++allocations_, std::move(call), addressOf(start), bytes, side};
  object.call = order::Call::current();
  object.call.symbol = entry;
  return insert(std::move(object));
}

Object &Objects::addVariable(const std::string &name, const void *start, size_t bytes) {
  // Files may have static variables of one name.
  const uint64_t nth = sameNames_[name]++;
  const std::string whole = nth ? name + "#" + std::to_string(nth + 1) : name;
  const ObjectId id = compare_wire::variableBit | (digestOf(whole).low >> 2);
  return insert({id, whole, addressOf(start), bytes, Side::Device});
}

const Object *Objects::known(uintptr_t address) const {
  const auto behind = objects_.upper_bound(address);
  if (behind == objects_.begin()) return nullptr;
  const Object &object = std::prev(behind)->second;
  // A pointer just behind an object is one to it.
  return address - object.start <= object.bytes ? &object : nullptr;
}

Object *Objects::at(const void *address) {
  auto *object = const_cast<Object *>(known(addressOf(address)));
  return object && object->isLive && object->contains(addressOf(address)) ? object : nullptr;
}

Object *Objects::byId(ObjectId id) {
  const auto found = starts_.find(id);
  if (found == starts_.end()) return nullptr;
  Object &object = objects_.at(found->second);
  return object.isLive ? &object : nullptr;
}

Object *Objects::release(const void *start) {
  const auto found = objects_.find(addressOf(start));
  if (found == objects_.end() || !found->second.isLive) return nullptr;
  found->second.isLive = false;
  if (found->second.side == Side::Shared) --sharedCount_;
  return &found->second;
}

std::vector<ObjectId> Objects::releaseAll() {
  std::vector<ObjectId> released;
  for (Object *object : live()) {
    // What was allocated on the host side stays; a reset gives variables their first values again.
    if (object->id & compare_wire::variableBit) continue;
    released.push_back(object->id);
    object->isLive = false;
  }
  sharedCount_ = 0;
  return released;
}

std::vector<Object *> Objects::live() {
  std::vector<Object *> live;
  for (const auto &[id, start] : starts_)
    if (Object &object = objects_.at(start); object.isLive) live.push_back(&object);
  return live;
}

std::vector<Address> Objects::addressesIn(std::string_view bytes) const {
  std::vector<Address> found;
  std::optional<HostRanges> host;
  for (size_t at = 0; at + sizeof(uint64_t) <= bytes.size(); at += sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    if (word < lowest || word >= highest) continue;
    if (const Object *object = known(word))
      found.push_back({at, object->id, word - object->start});
    else if ((host ? *host : host.emplace()).contain(word))
      found.push_back({at, compare_wire::unknownMemory, 0});
  }
  return found;
}

std::string withoutAddresses(std::string_view bytes, const std::vector<Address> &addresses) {
  std::string changed(bytes);
  for (const Address &address : addresses) {
    const auto code = digestOf("address " + std::to_string(address.id) + " " + std::to_string(address.offset));
    std::memcpy(changed.data() + address.at, &code.low, sizeof code.low);
  }
  return changed;
}

}  // namespace hostwarp::digests
