// __host__ __device__ functions, __CUDA_ARCH__, forceinline and noinline, static device functions, default arguments,
// overloads by type, and host code in the same file using the same names.
#include "../check.h"

struct Complex {
  float re, im;
  __host__ __device__ Complex(float r = 0, float i = 0) : re(r), im(i) {}
  __host__ __device__ Complex operator*(const Complex &o) const {
    return {re * o.re - im * o.im, re * o.im + im * o.re};
  }
  __host__ __device__ Complex &operator+=(const Complex &o) {
    re += o.re;
    im += o.im;
    return *this;
  }
  __host__ __device__ float magnitude2() const { return re * re + im * im; }
};

__host__ __device__ int escape(Complex c, int limit = 50) {
  Complex z;
  int n = 0;
  for (; n < limit && z.magnitude2() < 4; ++n) {
    z = z * z;
    z += c;
  }
  return n;
}

__host__ __device__ inline int side() {
#ifdef __CUDA_ARCH__
  return __CUDA_ARCH__ >= 500 ? 1 : -1;
#else
  return 2;
#endif
}

static __device__ __forceinline__ int kind(int) { return 1; }
static __device__ __noinline__ int kind(float) { return 2; }
static __device__ int kind(const char *) { return 3; }
__device__ static int scaled(int value, int factor = 10) { return value * factor; }

static int shared() { return 5; }  // no keyword to the host compiler, nor to the device's

__global__ void run(int *out, int *misc) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = escape(Complex((i % 20) * 0.125f - 2, (i / 20) * 0.125f - 1));
  if (i == 0) {
    misc[0] = side();
    misc[1] = kind(1) * 100 + kind(1.0f) * 10 + kind("x");
    misc[2] = scaled(4) + scaled(4, 2);
  }
}

int main() {
  const int n = 20 * 16;
  check::DeviceArray<int> out(n), misc(3, 0);
  run<<<10, 32>>>(out.get(), misc.get());
  LAUNCH_OK();
  const std::vector<int> host = out.download();
  // Powers of two keep float arithmetic exact for a while; later rounding may differ by contraction.
  int same = 0;
  for (int i = 0; i < n; ++i) same += host[i] == escape(Complex((i % 20) * 0.125f - 2, (i / 20) * 0.125f - 1));
  CHECK(same >= n * 95 / 100);
  CHECK_EQ(misc.download()[0], 1);
  CHECK_EQ(misc.download()[1], 123);
  CHECK_EQ(misc.download()[2], 48);
  CHECK_EQ(side(), 2);
  CHECK_EQ(shared(), 5);
  return check::finish();
}
