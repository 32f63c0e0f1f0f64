// Calls every device function once. Compiled for both sides and looked at by check_all_functions; never run.
#include <cuda_runtime.h>

template <class T>
__device__ T *operand();

template <class... T>
struct Call {
  template <class Function>
  static __device__ void with(Function function) {
    function(*operand<T>()...);
  }
};

__global__ void everything() {
#define CALL(name, ...) Call<__VA_ARGS__>::with([](auto &...operands) { (void)name(operands...); });
#include "all_functions.def"
#undef CALL
}

// What the C++ library brings: the names in std, overloads, and the language's own run-time support.
__global__ void standardLibrary(float *f, double *d, int *i, long long *l) {
  f[0] = std::sin(f[0]) + sin(f[1]) + std::tanh(f[2]) + std::fmax(f[3], f[4]) + std::abs(f[5]) + fabs(f[6]);
  d[0] = std::sin(d[0]) + std::pow(d[1], 2) + std::tanh(d[2]) + std::sqrt(d[3]) + std::hypot(d[4], d[5]) + sin(*i);
  i[0] = abs(i[0]) + std::abs(i[1]) + std::isnan(f[0]) + isinf(d[0]) + std::signbit(f[1]) + isfinite(f[2]);
  l[0] = std::abs(l[0]) + abs(l[1]) + llabs(l[2]);
  f[1] = std::frexp(f[1], i) + frexp(f[2], i) + std::modf(f[3], f) + std::min(f[4], f[5]);
  std::swap(d[0], d[1]);
  assert(i[0] > 0 && "an assertion");
  int *block = new int[4];
  new (block) int(3);
  delete[] block;
  void *bytes = malloc(16);
  memset(bytes, 0, 16);
  memcpy(bytes, f, 16);
  free(bytes);
  printf("%d %f %s\n", i[0], f[0], "text");
  auto thread = threadIdx;
  uint3 block3 = blockIdx;
  dim3 size = blockDim;
  i[1] = thread.x + block3.y + size.z + gridDim.x + warpSize;
}

// Host code sees CUDA's min and max for every mix of types, and the functions that CUDA offers on both sides.
int host(int i, unsigned u, long long l, float f, double d) {
  return static_cast<int>(min(i, u) + max(u, i) + max(l, l) + min(f, d) + max(d, f) + rsqrtf(f) + erfinv(d) + sinpi(f) +
                          norm3d(d, d, d) + __viaddmax_s32(i, i, i));
}
