// One kernel for elements of each size, in blocks of many shapes, with threads that leave before the barrier.
#include "pairs.h"

__device__ int number() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }

// finds: race: __syncthreads()
__global__ void racy_char(char *out, int n) {
  __shared__ char tile[1024];
  const int i = number();
  if (i >= n) return;
  tile[i] = char{};                              // HERE
  out[blockIdx.x * 1024 + i] = tile[n - 1 - i];  // HERE
}
__global__ void fixed_char(char *out, int n) {
  __shared__ char tile[1024];
  const int i = number();
  if (i >= n) return;
  tile[i] = char{};
  __syncthreads();
  out[blockIdx.x * 1024 + i] = tile[n - 1 - i];
}

// finds: race: __syncthreads()
__global__ void racy_short(short *out, int n) {
  __shared__ short tile[1024];
  const int i = number();
  if (i >= n) return;
  tile[i] = short{};                             // HERE
  out[blockIdx.x * 1024 + i] = tile[n - 1 - i];  // HERE
}
__global__ void fixed_short(short *out, int n) {
  __shared__ short tile[1024];
  const int i = number();
  if (i >= n) return;
  tile[i] = short{};
  __syncthreads();
  out[blockIdx.x * 1024 + i] = tile[n - 1 - i];
}

// finds: race: __syncthreads()
__global__ void racy_int(int *out, int n) {
  __shared__ int tile[1024];
  const int i = number();
  if (i >= n) return;
  tile[i] = int{};                               // HERE
  out[blockIdx.x * 1024 + i] = tile[n - 1 - i];  // HERE
}
__global__ void fixed_int(int *out, int n) {
  __shared__ int tile[1024];
  const int i = number();
  if (i >= n) return;
  tile[i] = int{};
  __syncthreads();
  out[blockIdx.x * 1024 + i] = tile[n - 1 - i];
}

// finds: race: __syncthreads()
__global__ void racy_double(double *out, int n) {
  __shared__ double tile[1024];
  const int i = number();
  if (i >= n) return;
  tile[i] = double{};                            // HERE
  out[blockIdx.x * 1024 + i] = tile[n - 1 - i];  // HERE
}
__global__ void fixed_double(double *out, int n) {
  __shared__ double tile[1024];
  const int i = number();
  if (i >= n) return;
  tile[i] = double{};
  __syncthreads();
  out[blockIdx.x * 1024 + i] = tile[n - 1 - i];
}

// finds: race: __syncthreads()
__global__ void racy_float4(float4 *out, int n) {
  __shared__ float4 tile[1024];
  const int i = number();
  if (i >= n) return;
  tile[i] = float4{};                            // HERE
  out[blockIdx.x * 1024 + i] = tile[n - 1 - i];  // HERE
}
__global__ void fixed_float4(float4 *out, int n) {
  __shared__ float4 tile[1024];
  const int i = number();
  if (i >= n) return;
  tile[i] = float4{};
  __syncthreads();
  out[blockIdx.x * 1024 + i] = tile[n - 1 - i];
}

#define SHAPES(type)                                                                                                   \
  for (const dim3 block : {dim3(24, 3, 2), dim3(1000), dim3(1, 33), dim3(16, 16), dim3(7, 5, 3), dim3(1024), dim3(2)}) \
    for (int left : {0, 1, 5}) {                                                                                       \
      const int n = int(block.x * block.y * block.z) - left;                                                           \
      racy_##type<<<4, block>>>(reinterpret_cast<type *>(memory()), n);                                                \
      cudaDeviceSynchronize();                                                                                         \
      fixed_##type<<<4, block>>>(reinterpret_cast<type *>(memory()), n);                                               \
      cudaDeviceSynchronize();                                                                                         \
    }

int main() {
  SHAPES(char)
  SHAPES(short)
  SHAPES(int)
  SHAPES(double)
  SHAPES(float4)
  return finish();
}
