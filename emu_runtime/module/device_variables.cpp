#include "emu_runtime/module/device_variables.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "emu_runtime/memory/allocation_table.h"
#include "emu_runtime/memory/layout.h"
#include "emu_runtime/memory/pages.h"
#include "emu_runtime/module/kernel.h"
#include "emu_runtime/support/log.h"
#include "fibers/mutex.h"

namespace hostwarp::modules {

namespace {

// isLiteral(): read-only data of the image, which the host may copy from and which exists once for all devices. The
// compiler gives it no name (compiler/device/literals.cpp).
bool isLiteral(const hw_variable &variable) { return variable.name[0] == '\0'; }

// ZeroSearch asks whether a range lies in the part of a loaded object that the system filled with zeros (.bss).
struct ZeroSearch {
  uintptr_t start;
  size_t bytes;
  bool found = false;

  static int visit(dl_phdr_info *object, size_t, void *data) {
    auto *search = static_cast<ZeroSearch *>(data);
    for (int i = 0; i < object->dlpi_phnum; ++i) {
      const auto &segment = object->dlpi_phdr[i];
      const uintptr_t zeros = object->dlpi_addr + segment.p_vaddr + segment.p_filesz;
      const uintptr_t end = object->dlpi_addr + segment.p_vaddr + segment.p_memsz;
      if (segment.p_type != PT_LOAD || search->start < zeros || search->start + search->bytes > end) continue;
      search->found = true;
      return 1;
    }
    return 0;
  }
};

bool startsAsZero(const hw_variable &variable) {
  ZeroSearch search{reinterpret_cast<uintptr_t>(variable.address), variable.bytes};
  dl_iterate_phdr(ZeroSearch::visit, &search);
  return search.found;
}

// InitialValue is a variable as it was when its image was loaded. A device used for the first time later must not see
// what the program has stored on device 0 meanwhile. Zeros, often many megabytes of them, are not stored.
struct InitialValue {
  hw_variable variable{};              // a copy: its shared object may go without notice
  std::vector<char> content = {};      // empty: all zeros
  std::vector<size_t> addresses = {};  // where in it addresses of variables are, in bytes
  std::set<int> devices = {};          // that have storage for it, without device 0

  char *on(int device) const { return static_cast<char *>(variable.address) + variableDelta(device); }

  void writeTo(int device) const {
    char *start = on(device);
    if (content.empty()) {
      std::memset(start, 0, variable.bytes);
    } else {
      std::memcpy(start, content.data(), content.size());
    }
    for (const size_t place : addresses) displace(start + place, variableDelta(device));
  }

 private:
  static void displace(char *place, int64_t delta) {
    char *address = nullptr;
    std::memcpy(&address, place, sizeof address);
    address += delta;
    std::memcpy(place, &address, sizeof address);
  }
};

// Words are the places of addresses that each device has others of, in order.
using Words = std::vector<const char *>;

Words wordsOf(const hw_image &image) {
  Words words;
  for (const hw_variable &row : std::span(image.variables, image.variableCount))
    if (row.kind == HW_VARIABLE_ADDRESS) words.push_back(static_cast<const char *>(row.address));
  std::ranges::sort(words);
  return words;
}

// placesIn() is where in the variable some of the words are.
std::vector<size_t> placesIn(const hw_variable &variable, const Words &words) {
  std::vector<size_t> places;
  const auto *start = static_cast<const char *>(variable.address);
  for (auto word = std::ranges::lower_bound(words, start); word != words.end() && *word < start + variable.bytes;
       ++word)
    places.push_back(static_cast<size_t>(*word - start));
  return places;
}

// loaded() tells whether an address still belongs to the executable or a shared object.
bool loaded(const void *address) {
  Dl_info info;
  return dladdr(address, &info) != 0;
}

// ConstantRange is the range from the first __constant__ variable of all images to the last, a quick first test: most
// addresses that device code asks about are outside. Thread-safe; mayHold() takes no lock.
class ConstantRange {
 public:
  // pre: no other thread calls include().
  void include(const hw_variable &variable) {
    const auto start = reinterpret_cast<uintptr_t>(variable.address);
    first_ = std::min(first_.load(), start);
    end_ = std::max(end_.load(), start + variable.bytes);
  }
  bool mayHold(uintptr_t address) const { return address >= first_ && address < end_; }

 private:
  std::atomic<uintptr_t> first_ = UINTPTR_MAX, end_ = 0;
};

constinit ConstantRange constantRange;

// VariableStorage keeps track of which device has which pages of variables. Thread-safe.
class VariableStorage {
 public:
  void announce(const hw_image &image) {
    const Words words = wordsOf(image);
    MutexLock lock(mutex_);
    for (uint64_t i = 0; i < image.variableCount; ++i) {
      const hw_variable &variable = image.variables[i];
      if (variable.kind == HW_VARIABLE_BORROWED || variable.kind == HW_VARIABLE_ADDRESS) continue;
      enter(variable, 0);
      if (!isLiteral(variable)) known_[variable.address] = variable;
      if (variable.kind == HW_VARIABLE_MANAGED || isLiteral(variable)) continue;
      if (variable.kind == HW_VARIABLE_CONSTANT) constantRange.include(variable);
      InitialValue &value = initial_[variable.address];
      value = {variable, {}, placesIn(variable, words), {}};
      const auto *content = static_cast<const char *>(variable.address);
      if (!startsAsZero(variable)) value.content.assign(content, content + variable.bytes);
      for (int device : devices_) place(value, device);
    }
  }

  void restore(int device) {
    MutexLock lock(mutex_);
    std::erase_if(initial_, [](const auto &entry) { return !loaded(entry.first); });
    for (const auto &[address, value] : initial_) {
      if (device == 0 || value.devices.contains(device)) value.writeTo(device);
    }
  }

  void forget(const hw_image &image) {
    MutexLock lock(mutex_);
    for (uint64_t i = 0; i < image.variableCount; ++i) {
      initial_.erase(image.variables[i].address);
      known_.erase(image.variables[i].address);
    }
  }

  // at() is the variable that holds the address on device 0.
  std::optional<hw_variable> at(uintptr_t address) {
    MutexLock lock(mutex_);
    const auto after =
        known_.upper_bound(reinterpret_cast<const void *>(address));  // NOLINT(performance-no-int-to-ptr)
    if (after == known_.begin()) return std::nullopt;
    const hw_variable &variable = std::prev(after)->second;
    const bool isInside = address - reinterpret_cast<uintptr_t>(variable.address) < variable.bytes;
    return isInside && loaded(variable.address) ? std::optional(variable) : std::nullopt;
  }

  bool hasConstantAt(uintptr_t address) {
    MutexLock lock(mutex_);
    auto after = initial_.upper_bound(reinterpret_cast<const void *>(address));  // NOLINT(performance-no-int-to-ptr)
    if (after == initial_.begin()) return false;
    const hw_variable &variable = std::prev(after)->second.variable;
    return variable.kind == HW_VARIABLE_CONSTANT &&
           address - reinterpret_cast<uintptr_t>(variable.address) < variable.bytes;
  }

  void provide(int device) {
    if (device == 0) return;
    MutexLock lock(mutex_);
    if (!devices_.insert(device).second) return;
    for (auto &[address, value] : initial_) place(value, device);
  }

 private:
  static void enter(const hw_variable &variable, int device) {
    const bool managed = variable.kind == HW_VARIABLE_MANAGED;
    const auto start = reinterpret_cast<uintptr_t>(variable.address) + static_cast<uintptr_t>(variableDelta(device));
    memory::AllocationTable::process().add(
        {start, variable.bytes, managed ? memory::Kind::ManagedVariable : memory::Kind::Variable, device, 0, {}});
  }

  void place(InitialValue &value, int device) HOSTWARP_REQUIRES(mutex_) {
    if (!loaded(value.variable.address)) return;
    char *start = value.on(device);
    if (!mapAround(start, value.variable.bytes)) {
      logLine("device " + std::to_string(device) + " has no room for the variable " + value.variable.name +
              "; build without -no-pie to use module variables on several devices");
      return;
    }
    value.writeTo(device);
    value.devices.insert(device);
    enter(value.variable, device);
  }

  bool mapAround(const char *start, size_t bytes) HOSTWARP_REQUIRES(mutex_) {
    const size_t page = memory::pages::size();
    const auto first = reinterpret_cast<uintptr_t>(start) & ~(page - 1);
    const auto end = memory::pages::roundUp(reinterpret_cast<uintptr_t>(start) + bytes, page);
    uintptr_t unmapped = first;
    for (uintptr_t address = first; address < end; address += page) {
      if (mapped_.insert(address).second) continue;
      if (!mapPages(unmapped, address)) return false;
      unmapped = address + page;
    }
    return mapPages(unmapped, end);
  }

  static bool mapPages(uintptr_t first, uintptr_t end) {
    return first == end || memory::pages::mapFixed(reinterpret_cast<void *>(first), end - first);  // NOLINT
  }

  Mutex mutex_;
  std::map<const void *, hw_variable> known_ HOSTWARP_GUARDED_BY(mutex_);     // by address on device 0; with names
  std::map<const void *, InitialValue> initial_ HOSTWARP_GUARDED_BY(mutex_);  // by address on device 0
  std::set<int> devices_ HOSTWARP_GUARDED_BY(mutex_);                         // in use, without device 0
  std::set<uintptr_t> mapped_ HOSTWARP_GUARDED_BY(mutex_);                    // pages of devices other than 0
};

VariableStorage &storage() {
  static auto *instance = new VariableStorage;
  return *instance;
}

}  // namespace

int64_t variableDelta(int ordinal) { return -ordinal * static_cast<int64_t>(memory::layout::unit); }

void announceVariables(const hw_image &image) { storage().announce(image); }

void forgetVariables(const hw_image &image) { storage().forget(image); }

void provideVariables(int ordinal) { storage().provide(ordinal); }

// A constant whose value the compiler knows exists once.
bool mayBeConstant(const void *address, int64_t delta) {
  const auto here = reinterpret_cast<uintptr_t>(address);
  return constantRange.mayHold(here - static_cast<uintptr_t>(delta)) || constantRange.mayHold(here);
}

bool isConstant(const void *address, int64_t delta) {
  const auto here = reinterpret_cast<uintptr_t>(address);
  return storage().hasConstantAt(here - static_cast<uintptr_t>(delta)) || storage().hasConstantAt(here);
}

std::string placeInVariable(uintptr_t address, int64_t delta) {
  const uintptr_t onFirst = address - static_cast<uintptr_t>(delta);
  const auto variable = storage().at(onFirst);
  if (!variable) return "";
  const uintptr_t offset = onFirst - reinterpret_cast<uintptr_t>(variable->address);
  return std::to_string(offset) + (offset == 1 ? " byte" : " bytes") + " into '" + demangle(variable->name) + "'";
}

void restoreVariables(int ordinal) { storage().restore(ordinal); }

}  // namespace hostwarp::modules
