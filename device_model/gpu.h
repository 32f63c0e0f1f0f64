// The GPUs that hostwarp can be: one row of gpus.def each.
#ifndef HOSTWARP_DEVICE_MODEL_GPU_H
#define HOSTWARP_DEVICE_MODEL_GPU_H

#include <cstddef>
#include <span>
#include <string_view>

#include "device_model/compute_capability.h"

namespace hostwarp::device_model {

enum class GpuKind {
  Geforce,     // no ECC
  Datacenter,  // ECC
  Coherent,    // ECC, one memory with its CPU
  Tegra,       // integrated
  Mig,         // a slice of a Datacenter GPU
};

// Gpu describes one model. Constant data, valid for the life of the process.
struct Gpu {
  std::string_view id;  // null-terminated, as is name
  std::string_view name;
  const ComputeCapability *capability;
  int sms;
  int gpcs;
  size_t memoryBytes;
  int coreKHz, memoryKHz;
  int busBits;
  int l2Bytes;
  int copyEngines;
  unsigned pciDevice;
  GpuKind kind;

  // smsOfGpc() returns how many SMs the i-th GPC has. Where nobody counted them, SMs come in pairs, spread as evenly as
  // possible; a part of a counted GPU has the first of its SMs.
  [[nodiscard]] int smsOfGpc(int i) const;
};

// find() returns the model with this id or alias (case does not matter), or null.
[[nodiscard]] const Gpu *find(std::string_view id);
// all() returns every model, by age.
[[nodiscard]] std::span<const Gpu> all();
// defaultGpu() is the model in effect when the user names none: a real device with few SMs, so that programs that
// size their grids by the device do a sensible amount of work on a CPU.
[[nodiscard]] const Gpu &defaultGpu();

}  // namespace hostwarp::device_model

#endif  // HOSTWARP_DEVICE_MODEL_GPU_H
