// __assert_fail() belongs to the host and the device: libraries declare it for both where NDEBUG
// hides the C library's declaration, and assert.h may be included again without.
#define NDEBUG
#include <cassert>

#include "../check.h"

extern "C" {
__host__ __device__ void __assert_fail(const char *assertion, const char *file, unsigned int line,
                                       const char *function) noexcept __attribute__((__noreturn__));
}

__host__ __device__ int silent(int x) {
  assert(x < 0);
  return x + 1;
}

#undef NDEBUG
#include <assert.h>

__host__ __device__ int checked(int x) {
  assert(x > 0);
  return silent(x);
}

__global__ void kernel(int *result, int x) {
  if (x == 7) __assert_fail("x is not seven", __FILE__, __LINE__, __func__);
  *result = checked(x);
}

int main() {
  int *result, value = 0;
  CUDA_OK(cudaMalloc(&result, sizeof(int)));
  kernel<<<1, 1>>>(result, 4);
  CUDA_OK(cudaMemcpy(&value, result, sizeof(int), cudaMemcpyDeviceToHost));
  CHECK_EQ(value, 5);
  CHECK_EQ(checked(2), 3);
  kernel<<<1, 1>>>(result, 7);
  CHECK_EQ(cudaDeviceSynchronize(), cudaErrorAssert);
  return check::finish();
}
