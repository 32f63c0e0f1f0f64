// What compiled host code has registered, for the GPU's library to get it too.
#ifndef HOSTWARP_GPU_BACKEND_REGISTRATIONS_H
#define HOSTWARP_GPU_BACKEND_REGISTRATIONS_H

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "emu_runtime/support/status.h"
#include "fibers/mutex.h"
#include "gpu_backend/managed_variables.h"
#include "include/hostwarp/device_abi.h"

namespace hostwarp::gpu_backend {

// Symbol is a kernel or a variable of host code and what it is called in device code.
struct Symbol {
  enum class Kind { Kernel, Variable, Managed, Reference };
  Kind kind = Kind::Kernel;
  const void *host = nullptr;
  std::string deviceName;
  size_t bytes = 0;
  bool isConstant = false;
  bool isExternal = false;
  ManagedSlot *slot = nullptr;  // of a managed variable
};

// Registrations keeps what is registered, by module: the handle that host code got. Thread-safe.
class Registrations {
 public:
  void addModule(const void *module, std::span<const hw_image *const> images);
  void addSymbol(const void *module, Symbol symbol);
  void removeModule(const void *module);
  // addManaged() says that the variable that `slot.storage` stands for, and that has been added, is a managed one.
  void addManaged(const void *module, ManagedSlot &slot);
  // addPlace() tells of a pointer to a managed variable, or into it, that another variable starts with: on a GPU it has
  // to point elsewhere.
  void addPlace(const ManagedSlot &slot, char **place);

  // hasCode() tells whether anything has been registered that can become code for a GPU.
  bool hasCode() const;

  // handOver() makes the code of what waits and registers it with the GPU's library. After a failure nothing of it
  // waits any more. Blocks while hwcc works.
  Status handOver(int capability, int driverVersion);

  // knows() is false until a managed variable is added. openManaged() has NVIDIA's runtime start, which sets the slot's
  // address. slotOf() is the slot of a managed variable, by its storage; null for others.
  bool knows(const ManagedSlot &slot) const;
  void openManaged(const ManagedSlot &slot);
  ManagedSlot *slotOf(const void *storage) const;

  // process() is never destroyed.
  static Registrations &process();

 private:
  struct Module {
    const void *handle;
    std::vector<const hw_image *> images;
    std::vector<Symbol> symbols;
  };
  // Managed is a slot and the module that defines the variable.
  struct Managed {
    const void *module;
    ManagedSlot *slot;
  };
  Status handOverGroup(std::span<const Module *const> modules, int capability, int driverVersion)
      HOSTWARP_REQUIRES(mutex_);
  void registerSymbols(void **handle, const Module &module) HOSTWARP_REQUIRES(mutex_);
  void movePlaces(void **handle, const Symbol &variable) HOSTWARP_REQUIRES(mutex_);

  mutable Mutex mutex_;
  std::vector<Module> waiting_ HOSTWARP_GUARDED_BY(mutex_);
  std::map<const void *, void **> real_ HOSTWARP_GUARDED_BY(mutex_);     // handles of the GPU's library by module
  std::map<const void *, Managed> managed_ HOSTWARP_GUARDED_BY(mutex_);  // by storage
  std::map<const ManagedSlot *, std::vector<char **>> places_ HOSTWARP_GUARDED_BY(mutex_);
};

}  // namespace hostwarp::gpu_backend

#endif  // HOSTWARP_GPU_BACKEND_REGISTRATIONS_H
