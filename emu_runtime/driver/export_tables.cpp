#include "emu_runtime/driver/export_tables.h"

#include <array>
#include <cstring>
#include <string>

#include "emu_runtime/api/entry_call.h"
#include "emu_runtime/device/current.h"
#include "emu_runtime/driver/context_storage.h"
#include "emu_runtime/driver/driver.h"
#include "emu_runtime/driver/driver_check.h"
#include "emu_runtime/support/log.h"

namespace hostwarp::driver_api {

namespace {

// answer() runs a function of a table as a call of the driver's.
template <typename Run>
CUresult answer(const char *name, Run run) noexcept {
  const api::EntryInfo info{name, "()", api::LastError::KEEPS, api::DefaultStream::Legacy};
  const device::ExplicitContexts contexts;
  const profile::Call call;
  Status status;
  try {
    status = run();
  } catch (...) {
    status = api::statusOfException();
  }
  const CUresult result = resultOf(api::finish(info, status));
  const char *text = resultName(result);
  api::observe(call, "CUDA driver API", info, result == CUDA_SUCCESS, text ? text : "?", api::placed());
  return result;
}

// Slots from `first` on whose purpose nobody has needed yet say so when they are called.
template <const char *table, size_t slot>
CUresult unknown() {
  return answer(table, [] {
    return Status(unsupported(
        table,
        ("NVIDIA's runtime library wants its function " + std::to_string(slot) + ", which is not there").c_str()));
  });
}

// --- The runtime's own interface: modules and primary contexts.

constexpr char runtimeInterfaceName[] = "export table of the runtime's interface";

CUresult loadFatBinary(CUmodule *module, const void *fatBinary) {
  return answer("runtime interface: module of a fat binary",
                [&] { return driver_api::cuModuleLoadData(module, fatBinary); });
}

CUresult loadModuleFurther(CUmodule *module, const void *fatBinary, void *, void *, unsigned) {
  return loadFatBinary(module, fatBinary);
}

CUresult loadModuleOf(const void *fatBinary, CUmodule *module, void *, void *, unsigned) {
  return loadFatBinary(module, fatBinary);
}

CUresult primaryContext(CUcontext *context, CUdevice device) {
  return answer("runtime interface: primary context", [&]() -> Status {
    if (!context) return cudaErrorInvalidValue;
    auto found = device::find(device);
    if (!found.ok()) return found.status();
    HOSTWARP_TRY((*found)->context()->status());
    *context = device::primaryHandle(**found);
    return {};
  });
}

// PTX is compiled by hwcc: there is nothing to load before.
CUresult prepareCompilers() {
  return answer("runtime interface: compilers", [] { return Status(); });
}

// --- What tools that look on leave with the runtime: there are none.

CUresult hooks(void **start, size_t *count) {
  static std::array<unsigned, 1024> none{};
  *start = none.data();
  *count = none.size();
  return CUDA_SUCCESS;
}

CUresult moreHooks(void **start, size_t *count) {
  static std::array<unsigned, 14> none{};
  *start = none.data();
  *count = none.size();
  return CUDA_SUCCESS;
}

// --- Values that belong to contexts.

CUresult put(CUcontext context, void *key, void *value, ContextGone *gone) {
  return answer("context storage: put", [&] { return storeInContext(context, key, value, gone); });
}

CUresult drop(CUcontext context, void *key) {
  return answer("context storage: drop", [&] { return removeFromContext(context, key); });
}

// It is asked at every call, and what is not there yet is no mistake of the program's.
CUresult get(void **value, CUcontext context, void *key) {
  if (!value) return CUDA_ERROR_INVALID_VALUE;
  const auto stored = storedInContext(context, key);
  if (stored.ok()) *value = *stored;
  return resultOf(stored.status().code());
}

// --- Whether driver and runtime mean the same.

CUresult check(unsigned version, uint64_t seconds, void *digest);

// --- Whether a context is one for ordinary work. There are no others.

CUresult checkContext(CUcontext, unsigned *kind, const void **) {
  if (!kind) return CUDA_ERROR_INVALID_VALUE;
  *kind = 0;
  return CUDA_SUCCESS;
}

CUresult checkProcess() { return CUDA_SUCCESS; }

using Slot = const void *;
constexpr char toolsName[] = "export table of tools", checksName[] = "export table of checks",
               newerName[] = "export table of newer runtimes", deviceName[] = "export table of device attributes",
               heapName[] = "export table of the heap", contextName[] = "export table of contexts",
               threadsName[] = "export table of threads", storageName[] = "export table of context storage";

// Table is an array of functions, which begins with its size in bytes.
template <size_t slots>
using Table = std::array<Slot, slots>;

template <const char *name, size_t... slot>
Table<sizeof...(slot)> unknownTable(std::index_sequence<slot...>) {
  return {reinterpret_cast<Slot>(&unknown<name, slot>)...};
}

template <const char *name, size_t slots>
Table<slots> emptyTable() {
  Table<slots> table = unknownTable<name>(std::make_index_sequence<slots>());
  table[0] = reinterpret_cast<Slot>(sizeof(table));  // NOLINT(performance-no-int-to-ptr)
  return table;
}

template <typename Function>
Slot slotOf(Function *function) {
  return reinterpret_cast<Slot>(function);
}

const Slot *runtimeInterface() {
  static const auto table = [] {
    auto slots = emptyTable<runtimeInterfaceName, 13>();
    slots[1] = slotOf(loadFatBinary);
    slots[2] = slotOf(primaryContext);
    slots[6] = slotOf(loadModuleFurther);
    slots[8] = slotOf(loadModuleOf);
    slots[12] = slotOf(prepareCompilers);
    return slots;
  }();
  return table.data();
}

const Slot *tools() {
  static const auto table = [] {
    auto slots = emptyTable<toolsName, 7>();
    slots[2] = slotOf(hooks);
    slots[6] = slotOf(moreHooks);
    return slots;
  }();
  return table.data();
}

// The one table without its size.
const Slot *storage() {
  static const auto table = [] {
    auto slots = emptyTable<storageName, 4>();
    slots[0] = slotOf(put);
    slots[1] = slotOf(drop);
    slots[2] = slotOf(get);
    return slots;
  }();
  return table.data();
}

const Slot *driverCheck() {
  static const auto table = [] {
    auto slots = emptyTable<checksName, 3>();
    slots[1] = slotOf(check);
    return slots;
  }();
  return table.data();
}

const Slot *contextChecks() {
  static const auto table = [] {
    auto slots = emptyTable<contextName, 4>();
    slots[2] = slotOf(checkContext);
    slots[3] = slotOf(checkProcess);
    return slots;
  }();
  return table.data();
}

template <const char *name, size_t slots>
const Slot *without() {
  static const auto table = emptyTable<name, slots>();
  return table.data();
}

CUresult check(unsigned version, uint64_t seconds, void *digest) {
  return answer("driver check", [&]() -> Status {
    if (!digest) return cudaErrorInvalidValue;
    const auto made = describeDriver(version, seconds, {runtimeInterface(), driverCheck(), slotOf(check)});
    if (!made.ok()) return made.status();
    std::memcpy(digest, made->data(), made->size());
    return {};
  });
}

struct Named {
  unsigned char name[sizeof(CUuuid)];
  const Slot *(*table)();
};

constexpr Named tables[] = {
    {{0x6B, 0xD5, 0xFB, 0x6C, 0x5B, 0xF4, 0xE7, 0x4A, 0x89, 0x87, 0xD9, 0x39, 0x12, 0xFD, 0x9D, 0xF9},
     runtimeInterface},
    {{0xA0, 0x94, 0x79, 0x8C, 0x2E, 0x74, 0x2E, 0x74, 0x93, 0xF2, 0x08, 0x00, 0x20, 0x0C, 0x0A, 0x66}, tools},
    {{0xC6, 0x93, 0x33, 0x6E, 0x11, 0x21, 0xDF, 0x11, 0xA8, 0xC3, 0x68, 0xF3, 0x55, 0xD8, 0x95, 0x93}, storage},
    {{0xD4, 0x08, 0x20, 0x55, 0xBD, 0xE6, 0x70, 0x4B, 0x8D, 0x34, 0xBA, 0x12, 0x3C, 0x66, 0xE1, 0xF2}, driverCheck},
    {{0x26, 0x3E, 0x88, 0x60, 0x7C, 0xD2, 0x61, 0x43, 0x92, 0xF6, 0xBB, 0xD5, 0x00, 0x6D, 0xFA, 0x7E}, contextChecks},
    {{0x42, 0xD8, 0x5A, 0x81, 0x23, 0xF6, 0xCB, 0x47, 0x82, 0x98, 0xF6, 0xE7, 0x8A, 0x3A, 0xEC, 0xDC},
     without<threadsName, 4>},
    {{0x0C, 0xA5, 0x0B, 0x8C, 0x10, 0x04, 0x92, 0x9A, 0x89, 0xA7, 0xD0, 0xDF, 0x10, 0xE7, 0x72, 0x86},
     without<contextName, 2>},
    {{0x19, 0x5B, 0xCB, 0xF4, 0xD6, 0x7D, 0x02, 0x4A, 0xAC, 0xC5, 0x1D, 0x29, 0xCE, 0xA6, 0x31, 0xAE},
     without<heapName, 3>},
    {{0xB1, 0x05, 0x41, 0xE1, 0xF7, 0xC7, 0xC7, 0x4A, 0x9F, 0x64, 0xF2, 0x23, 0xBE, 0x99, 0xF1, 0xE2},
     without<deviceName, 26>},
    {{0x21, 0x31, 0x8C, 0x60, 0x97, 0x14, 0x32, 0x48, 0x8C, 0xA6, 0x41, 0xFF, 0x73, 0x24, 0xC8, 0xF2},
     without<newerName, 95>},
};

}  // namespace

const void *exportTable(const CUuuid &name) {
  for (const Named &each : tables)
    if (std::memcmp(each.name, &name, sizeof(name)) == 0) return each.table();
  return nullptr;
}

}  // namespace hostwarp::driver_api
