// Functions of the mathematical library as arguments of templates, which host code names and device code calls.
#include <cmath>

#include "../check.h"

template <float (*function)(float)>
__global__ void map(float *values) {
  values[threadIdx.x] = function(values[threadIdx.x]);
}

template <double (*function)(double, double)>
struct Combine {
  __host__ __device__ double operator()(double a, double b) const { return function(a, b); }
};

template <class Operation>
__global__ void fold(const double *values, double *result) {
  Operation operation;
  double all = values[0];
  for (int i = 1; i < 8; ++i) all = operation(all, values[i]);
  *result = all;
}

template <float (*first)(float), float (*second)(float)>
__device__ float both(float x) {
  return first(x) + second(x);
}

template <float (*first)(float), float (*second)(float)>
__global__ void sums(float *values) {
  values[threadIdx.x] = both<first, second>(values[threadIdx.x]);
}

template <auto function>
__global__ void any(float *values) {
  values[threadIdx.x] = function(values[threadIdx.x]);
}

static void unary() {
  check::DeviceArray<float> values(std::vector<float>{4, 9, 16, -25});
  map<fabsf><<<1, 4>>>(values.get());
  map<sqrtf><<<1, 4>>>(values.get());
  LAUNCH_OK();
  CHECK_EQ(values.download()[0], 2.0f);
  CHECK_EQ(values.download()[3], 5.0f);
  sums<floorf, ceilf><<<1, 4>>>(values.get());
  any<&truncf><<<1, 4>>>(values.get());
  LAUNCH_OK();
  CHECK_EQ(values.download()[1], 6.0f);
}

static void binary() {
  check::DeviceArray<double> values(std::vector<double>{1, 5, -2, 8, 3, 7, 0, 4}), result(1);
  fold<Combine<fmax>><<<1, 1>>>(values.get(), result.get());
  LAUNCH_OK();
  CHECK_EQ(result.download()[0], 8.0);
  CHECK_EQ(Combine<fmax>()(2, 3), 3.0);
}

int main() {
  unary();
  binary();
  return check::finish();
}
