// Functions that are not inlined, called by all threads of a warp, by some and in loops that end at different times.
#include "../check.h"

__device__ int calls = 0;

__device__ __noinline__ double scaled(double v, int by) { return v * by + 0.5; }
__device__ __noinline__ bool isNear(float a, float b) { return fabsf(a - b) < 0.25f; }
__device__ __noinline__ short narrowed(short a, unsigned char b) { return static_cast<short>(a * b); }
__device__ __noinline__ void note(int *place, int value) {
  *place = value;
  if (value % 11 == 0) atomicAdd(&calls, 1);
}
__device__ __noinline__ const int *behind(const int *p, int by) { return p + by; }
__device__ __noinline__ unsigned gcd(unsigned a, unsigned b) {
  while (b != 0) {
    const unsigned rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}
__device__ __noinline__ int position() { return threadIdx.x * 2 + threadIdx.y; }
__device__ __noinline__ int nested(int v) { return v & 2 ? position() + narrowed(3, v) : -position(); }

__global__ void all(const int *in, int *out, double *doubles, int n) {
  const int i = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int v = in[i];
  doubles[i] = scaled(v, i % 7);
  int sum = narrowed(static_cast<short>(v), static_cast<unsigned char>(i));
  if (isNear(v * 0.125f, i * 0.0625f)) sum += 100000;
  for (int turn = 0; turn < v % 5; ++turn) sum += gcd(v * 6 + turn, 36) + *behind(in, turn);
  note(out + i, sum + nested(v));
}

int main() {
  const int n = 1500;
  const dim3 block(24, 4);
  std::vector<int> in(n);
  for (int i = 0; i < n; ++i) in[i] = i * 31 % 257;
  check::DeviceArray<int> given(in), out(n, 0);
  check::DeviceArray<double> doubles(n, 0);
  all<<<(n + 95) / 96, block>>>(given.get(), out.get(), doubles.get(), n);
  LAUNCH_OK();
  const auto results = out.download();
  const auto products = doubles.download();
  int elevenths = 0;
  for (int i = 0; i < n; ++i) {
    const int v = in[i], x = i % 24, y = i / 24 % 4;
    int sum = static_cast<short>(v * (i & 255));
    if (std::fabs(v * 0.125f - i * 0.0625f) < 0.25f) sum += 100000;
    for (int turn = 0; turn < v % 5; ++turn) {
      unsigned a = v * 6 + turn, b = 36;
      while (b != 0) {
        const unsigned rest = a % b;
        a = b;
        b = rest;
      }
      sum += a + in[turn];
    }
    sum += v & 2 ? 2 * x + y + static_cast<short>(3 * (v & 255)) : -(2 * x + y);
    elevenths += sum % 11 == 0;
    CHECK_EQ(results[i], sum);
    CHECK_EQ(products[i], v * static_cast<double>(i % 7) + 0.5);
  }
  int noted = 0;
  CUDA_OK(cudaMemcpyFromSymbol(&noted, calls, sizeof noted));
  CHECK_EQ(noted, elevenths);
  return check::finish();
}
