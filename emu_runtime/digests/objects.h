// Objects: the memory that is compared, numbered alike in all runs of a program.
#ifndef HOSTWARP_EMU_RUNTIME_DIGESTS_OBJECTS_H
#define HOSTWARP_EMU_RUNTIME_DIGESTS_OBJECTS_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "emu_runtime/order/call.h"
#include "emu_runtime/support/compare_wire.h"

namespace hostwarp::digests {

// Side is who can reach memory beside kernels: of what the host reaches, it may have changed something itself.
enum class Side : uint8_t { Device, Shared };

struct Object {
  compare_wire::ObjectId id = 0;
  std::string name;  // the API's function that made it, or the variable's name
  uintptr_t start = 0;
  size_t bytes = 0;
  Side side = Side::Device;
  bool isLive = true;
  order::Call call{};             // that made it
  compare_wire::Digest digest{};  // of the bytes as they are, the last time
  bool isNew = true;              // it has never been looked at

  bool contains(uintptr_t address) const { return address - start < bytes; }
};

// Objects are found by address. What has been released stays known as long as nothing else lies there, because pointers
// to it may be left. Not thread-safe.
class Objects {
 public:
  // add() numbers an allocation, of a call that is made at present; addVariable() names a variable. The object stays
  // where it is until it is replaced.
  Object &add(const char *entry, std::string call, const void *start, size_t bytes, Side side);
  Object &addVariable(const std::string &name, const void *start, size_t bytes);

  // at() is the live object that the address lies in, or null; byId() likewise.
  Object *at(const void *address);
  Object *byId(compare_wire::ObjectId id);

  // release() is the object that began there, live until now; null: there was none. releaseAll() is for the end of a
  // device's context: variables are forgotten.
  Object *release(const void *start);
  std::vector<compare_wire::ObjectId> releaseAll();

  // live() are those that are there, by number.
  std::vector<Object *> live();
  bool haveShared() const { return sharedCount_ > 0; }

  // addressesIn() finds the words of memory that hold addresses: of objects, just behind them, and of the host's code
  // and data.
  std::vector<compare_wire::Address> addressesIn(std::string_view bytes) const;

 private:
  Object &insert(Object object);
  const Object *known(uintptr_t address) const;

  std::map<uintptr_t, Object> objects_;  // by start; they do not overlap
  std::map<compare_wire::ObjectId, uintptr_t> starts_;
  std::map<std::string, uint64_t> sameNames_;
  uint64_t allocations_ = 0;
  size_t sharedCount_ = 0;
};

// withoutAddresses() is the memory with each address replaced by what it points to: alike in all runs.
std::string withoutAddresses(std::string_view bytes, const std::vector<compare_wire::Address> &addresses);

}  // namespace hostwarp::digests

#endif  // HOSTWARP_EMU_RUNTIME_DIGESTS_OBJECTS_H
