// PTX in the container that CUDA's runtime takes.
#ifndef HOSTWARP_GPU_BACKEND_FAT_BINARY_H
#define HOSTWARP_GPU_BACKEND_FAT_BINARY_H

#include <cstdint>
#include <string>
#include <string_view>

namespace hostwarp::gpu_backend {

// FatBinaryWrapper is what __cudaRegisterFatBinary() is given the address of.
struct FatBinaryWrapper {
  uint32_t magic = 0x466243b1;
  uint32_t version = 1;
  const void *data = nullptr;
  void *unused = nullptr;
};

// fatBinary() is the container with one PTX module, which says itself what it is for.
std::string fatBinary(std::string_view ptx);
// fatBinaryOfMachineCode() is the one with a cubin that `ptx` has become, for GPUs of this capability.
std::string fatBinaryOfMachineCode(std::string_view cubin, std::string_view ptx, int capability);

}  // namespace hostwarp::gpu_backend

#endif  // HOSTWARP_GPU_BACKEND_FAT_BINARY_H
