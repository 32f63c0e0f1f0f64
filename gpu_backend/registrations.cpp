#include "gpu_backend/registrations.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "emu_runtime/module/targets.h"
#include "gpu_backend/backend.h"
#include "gpu_backend/device_runtime.h"
#include "gpu_backend/fat_binary.h"
#include "gpu_backend/gpu_code.h"
#include "gpu_backend/probe.h"
#include "gpu_backend/tables.h"

namespace hostwarp::gpu_backend {

namespace {

// objectOf() is where the executable or library lies that an image is in.
const void *objectOf(const hw_image *image) {
  Dl_info info{};
  return dladdr(image, &info) ? info.dli_fbase : nullptr;
}

Status notYet(const Symbol &symbol, const char *what) {
  return {cudaErrorNotSupported, std::string(what) + " (" + symbol.deviceName + ") are not there on a GPU yet"};
}

Status supported(std::span<const Symbol> symbols) {
  for (const Symbol &symbol : symbols) {
    if (symbol.kind == Symbol::Kind::Reference) return notYet(symbol, "texture and surface references");
  }
  return {};
}

void registerSymbol(void **handle, const Symbol &symbol) {
  char *const name = const_cast<char *>(symbol.deviceName.c_str());
  void *const host = const_cast<void *>(symbol.host);
  switch (symbol.kind) {
    case Symbol::Kind::Kernel:
      return realRuntime.__cudaRegisterFunction(handle, static_cast<const char *>(host), name, name, -1, nullptr,
                                                nullptr, nullptr, nullptr, nullptr);
    case Symbol::Kind::Managed:
      return realRuntime.__cudaRegisterManagedVar(handle, static_cast<void **>(host), name, name, symbol.isExternal,
                                                  symbol.bytes, 0, 0);
    default:
      realRuntime.__cudaRegisterVar(handle, static_cast<char *>(host), name, name, symbol.isExternal, symbol.bytes,
                                    symbol.isConstant, 0);
  }
}

// codeOf() is what the driver can take: it knows nothing of the functions that kernels launch kernels with.
Expected<std::string> codeOf(const std::string &ptx, int capability) {
  if (!needsDeviceRuntime(ptx)) return fatBinary(ptx);
  const auto linked = linkDeviceRuntime(ptx, capability, probeMachine().runtime.file);
  if (!linked.ok()) return linked.status();
  return fatBinaryOfMachineCode(*linked, ptx, capability);
}

// registerCode() never frees what the library goes on reading.
void **registerCode(std::string binary) {
  auto *const code = new std::string(std::move(binary));
  auto *const wrapper = new FatBinaryWrapper;
  wrapper->data = code->data();
  return realRuntime.__cudaRegisterFatBinary(wrapper);
}

}  // namespace

Registrations &Registrations::process() {
  static auto *const all = new Registrations;
  return *all;
}

void Registrations::addModule(const void *module, std::span<const hw_image *const> images) {
  const MutexLock lock(mutex_);
  waiting_.push_back({module, {images.begin(), images.end()}, {}});
  State onGpu = State::Gpu;
  state.compare_exchange_strong(onGpu, State::Undecided);
}

void Registrations::addSymbol(const void *module, Symbol symbol) {
  const MutexLock lock(mutex_);
  const auto found = std::ranges::find(waiting_, module, &Module::handle);
  if (found != waiting_.end()) found->symbols.push_back(std::move(symbol));
}

void Registrations::removeModule(const void *module) {
  void **handle = nullptr;
  {
    const MutexLock lock(mutex_);
    std::erase_if(managed_, [&](const auto &entry) { return entry.second.module == module; });
    std::erase_if(waiting_, [&](const Module &waiting) { return waiting.handle == module; });
    const auto found = real_.find(module);
    if (found == real_.end()) return;
    handle = found->second;
    real_.erase(found);
    const bool isShared = std::ranges::any_of(real_, [&](const auto &other) { return other.second == handle; });
    if (isShared) return;
  }
  realRuntime.__cudaUnregisterFatBinary(handle);
}

void Registrations::addManaged(const void *module, ManagedSlot &slot) {
  const MutexLock lock(mutex_);
  managed_[slot.storage] = {module, &slot};
  const auto found = std::ranges::find(waiting_, module, &Module::handle);
  if (found == waiting_.end()) return;
  const auto symbol = std::ranges::find(found->symbols, slot.storage, &Symbol::host);
  if (symbol == found->symbols.end()) return;
  symbol->kind = Symbol::Kind::Managed;
  symbol->host = &slot.address;
  symbol->slot = &slot;
}

void Registrations::addPlace(const ManagedSlot &slot, char **place) {
  const MutexLock lock(mutex_);
  places_[&slot].push_back(place);
}

bool Registrations::knows(const ManagedSlot &slot) const { return slotOf(slot.storage) == &slot; }

ManagedSlot *Registrations::slotOf(const void *storage) const {
  const MutexLock lock(mutex_);
  const auto found = managed_.find(storage);
  return found == managed_.end() ? nullptr : found->second.slot;
}

void Registrations::openManaged(const ManagedSlot &slot) {
  const MutexLock lock(mutex_);
  const auto found = managed_.find(slot.storage);
  const auto real = found == managed_.end() ? real_.end() : real_.find(found->second.module);
  if (real != real_.end()) realRuntime.__cudaInitModule(real->second);
}

bool Registrations::hasCode() const {
  const MutexLock lock(mutex_);
  return std::ranges::any_of(waiting_, [](const Module &module) { return !module.images.empty(); });
}

// Names are kept: the library goes on reading them. A source that uses another's managed variable registers it, too.
void Registrations::registerSymbols(void **handle, const Module &module) {
  for (const Symbol &symbol : module.symbols)
    if (symbol.kind != Symbol::Kind::Variable || !managed_.contains(symbol.host))
      registerSymbol(handle, *new Symbol(symbol));
}

// movePlaces() opens at once what host code else asks for, and takes along what it may have written through a pointer.
void Registrations::movePlaces(void **handle, const Symbol &variable) {
  const auto found = variable.slot ? places_.find(variable.slot) : places_.end();
  if (found == places_.end()) return;
  realRuntime.__cudaInitModule(handle);
  char *const now = static_cast<char *>(variable.slot->address), *const before =
                                                                     static_cast<char *>(variable.slot->storage);
  if (!now) return;
  std::memcpy(now, before, variable.bytes);
  for (char **place : found->second) *place = now + (*place - before);
}

Status Registrations::handOverGroup(std::span<const Module *const> modules, int capability, int driverVersion) {
  std::vector<const hw_image *> images;
  for (const Module *module : modules) {
    const hw_image *const image = modules::imageFor(module->images, capability);
    if (!image)
      return {cudaErrorNoKernelImageForDevice, "the GPU is an sm_" + std::to_string(capability) +
                                                   ", and the program's code is for " +
                                                   modules::namesOf(module->images)};
    HOSTWARP_TRY(supported(module->symbols));
    images.push_back(image);
  }
  const auto all = makeGpuCode(images, capability, driverVersion);
  if (!all.ok()) return all.status();
  for (const Ptx &ptx : *all) {
    auto code = codeOf(ptx.text, capability);
    if (!code.ok()) return code.status();
    void **const handle = registerCode(std::move(*code));
    for (const size_t image : ptx.images) {
      if (image >= modules.size()) return cudaErrorInvalidPtx;
      real_[modules[image]->handle] = handle;
      registerSymbols(handle, *modules[image]);
    }
    realRuntime.__cudaRegisterFatBinaryEnd(handle);
    for (const size_t image : ptx.images)
      for (const Symbol &symbol : modules[image]->symbols) movePlaces(handle, symbol);
  }
  return {};
}

Status Registrations::handOver(int capability, int driverVersion) {
  const MutexLock lock(mutex_);
  const std::vector<Module> waiting = std::exchange(waiting_, {});
  std::map<const void *, std::vector<const Module *>> groups;
  for (const Module &module : waiting)
    if (!module.images.empty()) groups[objectOf(module.images.front())].push_back(&module);
  // What one library lacks is not for the others to miss.
  Status first;
  for (const auto &[object, modules] : groups) {
    const Status problem = handOverGroup(modules, capability, driverVersion);
    if (first.ok()) first = problem;
  }
  return first;
}

}  // namespace hostwarp::gpu_backend
