// Runs functions of the host in pairs: racy_NAME enqueues operations that nothing orders, fixed_NAME does not.
#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define HOST __attribute__((noinline))

constexpr int count = 4096;
constexpr size_t bytes = count * sizeof(int);

inline cudaStream_t one, two, free1, free2;  // the last two do not wait for the default stream
inline int *device, *other, *pinned, *more;
inline cudaEvent_t event;

inline void prepare() {
  cudaStreamCreate(&one);
  cudaStreamCreate(&two);
  cudaStreamCreateWithFlags(&free1, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&free2, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  cudaMalloc(&device, bytes);
  cudaMalloc(&other, bytes);
  cudaMallocHost(&pinned, bytes);
  cudaMallocHost(&more, bytes);
}

inline __global__ void fill(int *out, int value) { out[blockIdx.x * blockDim.x + threadIdx.x] = value; }
inline __global__ void take(int *out, const int *in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + 1;
}

inline void order(cudaStream_t first, cudaStream_t second) {
  cudaEventRecord(event, first);
  cudaStreamWaitEvent(second, event);
}

inline void settle() {
  int devices = 0;
  cudaGetDeviceCount(&devices);
  while (devices-- > 0) {
    cudaSetDevice(devices);
    cudaDeviceSynchronize();
  }
}

// Each function begins when nothing is in flight, and sees that it has come to its end: what is called last is no tail
// call.
#define PAIR(name) \
  racy_##name();   \
  settle();        \
  fixed_##name();  \
  settle()

inline int finish() {
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::printf("%s\n", cudaGetErrorString(error));
  return error;
}
