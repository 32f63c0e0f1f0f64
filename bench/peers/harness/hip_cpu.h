// cuda.h's names for HIP-CPU: included before a .cu file, which g++ then compiles as C++.
#ifndef HOSTWARP_BENCH_HIP_CPU_H
#define HOSTWARP_BENCH_HIP_CPU_H

#include <hip/hip_runtime.h>

#include <cmath>
#include <cstring>
#include <type_traits>

namespace bench {

// launch() makes the arguments what the kernel takes; HIP-CPU would copy what it is given.
template <class... Parameters>
void launch(void (*kernel)(Parameters...), dim3 blocks, dim3 threads, std::type_identity_t<Parameters>... arguments) {
  hipLaunchKernelGGL(kernel, blocks, threads, 0, nullptr, arguments...);
}

}  // namespace bench

#define BENCH_LAUNCH bench::launch
// HIP-CPU's constants are plain variables.
#define BENCH_CONSTANT(type, symbol, values) std::memcpy(symbol, (values).data(), (values).size() * sizeof(type))
#define BENCH_CONSTANT_ARGUMENT(symbol)

#define cudaDeviceSynchronize hipDeviceSynchronize
#define cudaError_t hipError_t
#define cudaFree hipFree
#define cudaGetErrorString hipGetErrorString
#define cudaGetLastError hipGetLastError
#define cudaMalloc hipMalloc
#define cudaMemcpy hipMemcpy
#define cudaMemcpyDeviceToDevice hipMemcpyDeviceToDevice
#define cudaMemcpyDeviceToHost hipMemcpyDeviceToHost
#define cudaMemcpyHostToDevice hipMemcpyHostToDevice
#define cudaMemset hipMemset
#define cudaSuccess hipSuccess

// It has no rsqrtf().
inline float rsqrtf(float value) { return 1.0f / std::sqrt(value); }

// Its warps have 64 lanes, and shuffles no narrower groups.
#define BENCH_WARP 64
#define __shfl_down_sync(mask, value, delta) __shfl_down(value, delta)
#define __shfl_xor_sync(mask, value, lanes) __shfl_xor(value, lanes)

#endif  // HOSTWARP_BENCH_HIP_CPU_H
