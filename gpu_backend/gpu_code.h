// Code for the GPU, made by hwcc of what images carry.
#ifndef HOSTWARP_GPU_BACKEND_GPU_CODE_H
#define HOSTWARP_GPU_BACKEND_GPU_CODE_H

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emu_runtime/support/status.h"
#include "include/hostwarp/device_abi.h"

namespace hostwarp::gpu_backend {

// Ptx is one module, and which of the images it was made of, by number.
struct Ptx {
  std::vector<size_t> images;
  std::string text;
};

// makeGpuCode() makes PTX of the images for GPUs of this capability and a driver of this version, or has it in the
// user's cache. `areLoaded`: programs load them, and ask for variables by nvcc's names. Images that were compiled with
// -rdc=true become one module. The error says what has no code.
Expected<std::vector<Ptx>> makeGpuCode(std::span<const hw_image *const> images, int capability, int driverVersion,
                                       bool areLoaded = false);

// readBundle() takes apart what hwcc has written: for each module a line "module <bytes> <images...>" and the text.
// Empty when that is damaged.
std::vector<Ptx> readBundle(std::string_view bundle);

}  // namespace hostwarp::gpu_backend

#endif  // HOSTWARP_GPU_BACKEND_GPU_CODE_H
