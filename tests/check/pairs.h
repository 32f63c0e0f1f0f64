// Runs kernels in pairs: racy_NAME, which has a defect, and fixed_NAME, which has not. run.py looks at what
// `hostwarp check` says of them.
#pragma once
#include <cstdio>

inline int *memory() {
  static int *made = nullptr;
  if (!made) cudaMalloc(&made, 1 << 20);
  cudaMemset(made, 0, 1 << 20);
  return made;
}

#define PAIR(name, blocks, threads)                     \
  racy_##name<<<blocks, threads, 256>>>(memory());      \
  cudaDeviceSynchronize();                              \
  fixed_##name<<<blocks, threads, 256>>>(memory());     \
  cudaDeviceSynchronize()

inline int finish() {
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error));
  return error;
}
