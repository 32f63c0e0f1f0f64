// What this machine has for running kernels on a GPU.
#ifndef HOSTWARP_GPU_BACKEND_PROBE_H
#define HOSTWARP_GPU_BACKEND_PROBE_H

#include <string>
#include <vector>

#include "emu_runtime/support/status.h"
#include "gpu_backend/libraries.h"

namespace hostwarp::gpu_backend {

struct Gpu {
  std::string name;
  int capability = 0;  // 90 for 9.0
};

// Machine is the driver, opened, and what it says; the libraries are opened once for the process and never closed.
struct Machine {
  Search driver, runtime;
  void *driverHandle = nullptr;
  int driverVersion = 0;  // 13000 for CUDA 13.0
  std::vector<Gpu> gpus;
  Status problem;  // why no kernel can run on a GPU: driver, device and library, in this order
};

// probeMachine() looks, at the first call, whether this machine can run kernels on a GPU. Thread-safe.
const Machine &probeMachine();

// settingOfCpu() is a setting of hostwarp's that only emulated devices follow; null: there is none.
const char *settingOfCpu();

}  // namespace hostwarp::gpu_backend

#endif  // HOSTWARP_GPU_BACKEND_PROBE_H
