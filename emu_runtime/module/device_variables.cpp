#include "emu_runtime/module/device_variables.h"

#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "emu_runtime/memory/allocation_table.h"
#include "emu_runtime/memory/pages.h"
#include "emu_runtime/support/log.h"

namespace hostwarp::modules {

namespace {

// InitialValue is a variable as it was when its image was loaded. A device used for the first time later must not see
// what the program has stored on device 0 meanwhile.
struct InitialValue {
  const hw_variable *variable;
  std::vector<char> content;
};

// VariableStorage keeps track of which device has which pages of variables. Thread-safe.
class VariableStorage {
 public:
  void announce(const hw_image &image, bool severalDevices) {
    std::lock_guard lock(mutex_);
    for (uint64_t i = 0; i < image.variableCount; ++i) {
      const hw_variable &variable = image.variables[i];
      enter(variable, 0);
      if (variable.kind == HW_VARIABLE_MANAGED || !severalDevices) continue;
      const auto *content = static_cast<const char *>(variable.address);
      initial_[variable.address] = {&variable, std::vector<char>(content, content + variable.bytes)};
      for (int device : devices_) place(initial_[variable.address], device);
    }
  }

  void provide(int device) {
    if (device == 0) return;
    std::lock_guard lock(mutex_);
    if (!devices_.insert(device).second) return;
    for (const auto &[address, value] : initial_) place(value, device);
  }

 private:
  static void enter(const hw_variable &variable, int device) {
    const bool managed = variable.kind == HW_VARIABLE_MANAGED;
    const auto start = reinterpret_cast<uintptr_t>(variable.address) + static_cast<uintptr_t>(variableDelta(device));
    memory::AllocationTable::process().add(
        {start, variable.bytes, managed ? memory::Kind::ManagedVariable : memory::Kind::Variable, device, 0, {}});
  }

  void place(const InitialValue &value, int device) {
    auto *start = static_cast<char *>(value.variable->address) + variableDelta(device);
    if (!mapAround(start, value.content.size())) {
      logLine("device " + std::to_string(device) + " has no room for the variable " + value.variable->name +
              "; build without -no-pie to use module variables on several devices");
      return;
    }
    std::memcpy(start, value.content.data(), value.content.size());
    enter(*value.variable, device);
  }

  bool mapAround(const char *start, size_t bytes) {
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

  std::mutex mutex_;
  std::map<const void *, InitialValue> initial_;  // guarded by mutex_; by address on device 0
  std::set<int> devices_;                         // guarded by mutex_; in use, without device 0
  std::set<uintptr_t> mapped_;                    // guarded by mutex_; pages of devices other than 0
};

VariableStorage &storage() {
  static auto *instance = new VariableStorage;
  return *instance;
}

}  // namespace

int64_t variableDelta(int ordinal) { return -(int64_t{ordinal} << 40); }

void announceVariables(const hw_image &image, bool severalDevices) { storage().announce(image, severalDevices); }

void provideVariables(int ordinal) { storage().provide(ordinal); }

}  // namespace hostwarp::modules
