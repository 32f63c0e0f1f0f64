// Functions of other units that wait, and others that do not: by name, by address, as virtual functions.
#include "../../check.h"
#include "shared.h"

constexpr int threads = 256;

__global__ void callsPlain(int *p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = twice(p[i]) + 1;
}

__global__ void callsWaiting(int *p) { p[threadIdx.x] = fromNeighbour(p[threadIdx.x]); }

__global__ void callsFar(int *p) { p[threadIdx.x] = fromHalf(p[threadIdx.x]); }

__global__ void callsByAddress(int *p, int which) { p[threadIdx.x] = steps[which](p[threadIdx.x]); }

__global__ void callsVirtual(int *p) {
  Shape *shape = makeShape(threadIdx.x % 2 != 0);
  p[threadIdx.x] = shape->area(p[threadIdx.x]);
  delete shape;
}

__global__ void waitsItself(int *p) {
  __shared__ int s[threads];
  s[threadIdx.x] = twice(p[threadIdx.x]);
  __syncthreads();
  p[threadIdx.x] = s[threads - 1 - threadIdx.x];
}

int *p;

void reset() {
  for (int i = 0; i < 4 * threads; ++i) p[i] = i;
}

int main() {
  CUDA_OK(cudaMallocManaged(&p, 4 * threads * sizeof(int)));
  reset();
  callsPlain<<<4, threads>>>(p, 4 * threads - 3);
  CUDA_OK(cudaDeviceSynchronize());
  for (int i = 0; i < 4 * threads; ++i) CHECK_EQ(p[i], i < 4 * threads - 3 ? 2 * i + 1 : i);
  reset();
  callsWaiting<<<1, threads>>>(p);
  callsFar<<<1, threads>>>(p);
  CUDA_OK(cudaDeviceSynchronize());
  for (int i = 0; i < threads; ++i) {
    const int first = i / 128 * 128, other = first + (i + 1) % 128;
    CHECK_EQ(p[i], (other + 1) % threads);
  }
  reset();
  for (int which = 0; which < 3; ++which) callsByAddress<<<1, threads>>>(p, which);
  CUDA_OK(cudaDeviceSynchronize());
  for (int i = 0; i < threads; ++i) CHECK_EQ(p[i], (i + 1) % threads * 2 + 5);
  reset();
  callsVirtual<<<1, threads>>>(p);
  CUDA_OK(cudaDeviceSynchronize());
  for (int i = 0; i < threads; ++i) CHECK_EQ(p[i], i % 2 ? 3 * i : i + 1);
  reset();
  waitsItself<<<1, threads>>>(p);
  CUDA_OK(cudaDeviceSynchronize());
  for (int i = 0; i < threads; ++i) CHECK_EQ(p[i], 2 * (threads - 1 - i));
  return check::finish();
}
