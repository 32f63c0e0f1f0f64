#include "device_model/gpu.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>
#include <vector>

namespace hostwarp::device_model {
namespace {

// A row of gpus.def; the compute capability is looked up when the table is made.
#define HW_GPU_ALIAS(alias, id)
#define HW_GPCS(...)
#define HW_GPU(id, name, major, minor, sms, gpcs, memoryMiB, coreMHz, memoryMHz, busBits, l2KiB, engines, pci, kind) \
  Gpu{id,                                                                                                            \
      name,                                                                                                          \
      computeCapability(major, minor),                                                                               \
      sms,                                                                                                           \
      gpcs,                                                                                                          \
      size_t{memoryMiB} << 20,                                                                                       \
      (coreMHz) * 1000,                                                                                              \
      (memoryMHz) * 1000,                                                                                            \
      busBits,                                                                                                       \
      (l2KiB) * 1024,                                                                                                \
      engines,                                                                                                       \
      pci,                                                                                                           \
      GpuKind::kind},
const auto &gpuTable() {
  static const std::array gpus = {
#include "device_model/gpus.def"
  };
  return gpus;
}

struct Alias {
  std::string_view alias, id;
};
#define HW_GPU(...)
#define HW_GPCS(...)
#define HW_GPU_ALIAS(alias, id) Alias{alias, id},
constexpr Alias aliases[] = {
#include "device_model/gpus.def"
};

struct CountedGpcs {
  std::string_view id;
  std::vector<int> sms;
};
#define HW_GPU(...)
#define HW_GPU_ALIAS(...)
#define HW_GPCS(id, ...) CountedGpcs{id, {__VA_ARGS__}},
const std::vector<int> *countedGpcs(std::string_view id) {
  static const CountedGpcs counted[] = {
#include "device_model/gpus.def"
  };
  const auto *found = std::ranges::find(counted, id, &CountedGpcs::id);
  return found == std::end(counted) ? nullptr : &found->sms;
}

bool sameName(std::string_view a, std::string_view b) {
  auto equal = [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); };
  return std::ranges::equal(a, b, equal);
}

std::string_view resolveAlias(std::string_view name) {
  for (const Alias &alias : aliases)
    if (sameName(alias.alias, name)) return alias.id;
  return name;
}

}  // namespace

int Gpu::smsOfGpc(int i) const {
  if (const std::vector<int> *counted = countedGpcs(id)) {
    const int before = std::accumulate(counted->begin(), counted->begin() + i, 0);
    return std::clamp(sms - before, 0, (*counted)[static_cast<size_t>(i)]);
  }
  const int pairs = sms / 2;
  const int mine = pairs / gpcs + (i < pairs % gpcs ? 1 : 0);
  return 2 * mine + (i == 0 ? sms % 2 : 0);
}

const Gpu *find(std::string_view id) {
  const std::string_view wanted = resolveAlias(id);
  for (const Gpu &gpu : gpuTable())
    if (sameName(gpu.id, wanted)) return &gpu;
  return nullptr;
}

std::span<const Gpu> all() { return gpuTable(); }

const Gpu &defaultGpu() {
  static const Gpu &gpu = *find("h200-1g18gb");
  return gpu;
}

}  // namespace hostwarp::device_model
