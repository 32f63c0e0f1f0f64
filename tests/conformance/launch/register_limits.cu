// Who says how many registers a thread may have: the compiler's option, or the kernel itself [CUDA 5.4.9.2, 5.4.9.4].
// options: -maxrregcount=24
// unoptimised: no
#include "../check.h"

__device__ void hold(double *data) {
  double values[40];
  for (int i = 0; i < 40; ++i) values[i] = data[i];
#pragma unroll
  for (int step = 1; step < 40; ++step) values[step] = fma(values[step - 1], values[(step * 7) % 40], values[step]);
  for (int i = 0; i < 40; ++i) data[i] = values[i];
}

__global__ void silent(double *data) { hold(data); }
__global__ void __launch_bounds__(128) bounded(double *data) { hold(data); }
__global__ void __maxnreg__(32) limited(double *data) { hold(data); }
__global__ void small(int *out) { *out = 1; }

int registersOf(const void *kernel) {
  cudaFuncAttributes attributes = {};
  CUDA_OK(cudaFuncGetAttributes(&attributes, kernel));
  return attributes.numRegs;
}

int main() {
  const int silentOnes = registersOf(reinterpret_cast<const void *>(silent));
  const int limitedOnes = registersOf(reinterpret_cast<const void *>(limited));
  const int boundedOnes = registersOf(reinterpret_cast<const void *>(bounded));
  CHECK(silentOnes > 16 && silentOnes <= 24);
  CHECK(limitedOnes > 24 && limitedOnes <= 32);
  CHECK(boundedOnes > 32);
  CHECK(registersOf(reinterpret_cast<const void *>(small)) < 16);
  return check::finish();
}
