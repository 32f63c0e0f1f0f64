#pragma once
__global__ void elsewhere(int *out, int value);
template <class T>
__global__ void both(T *out, T value) {
  out[threadIdx.x] += value;
}
__device__ void launchFromLibrary(int *out);
