// Constants of the device, whose values the compiler may put wherever they are used, have addresses: the host copies
// them.
#include "../check.h"

__device__ const int number = 5;
__constant__ const float factors[3] = {1, 2, 3};
static __device__ const double table[2] = {1.5, 2.5};
__device__ constexpr int computed = number * 2;
namespace {
__device__ const long long unused = 1ll << 40;
}

__global__ void use(float *out) { *out = number + computed + static_cast<float>(table[1]) + factors[2]; }

template <class T>
T fromDevice(const T &symbol) {
  size_t bytes = 0;
  CUDA_OK(cudaGetSymbolSize(&bytes, symbol));
  CHECK_EQ(bytes, sizeof(T));
  std::remove_const_t<T> value{};
  CUDA_OK(cudaMemcpyFromSymbol(&value, symbol, sizeof value));
  return value;
}

int main() {
  CHECK_EQ(fromDevice(number), 5);
  CHECK_EQ(fromDevice(computed), 10);
  CHECK_EQ(fromDevice(unused), 1ll << 40);
  double values[2];
  CUDA_OK(cudaMemcpyFromSymbol(values, table, sizeof values));
  CHECK_EQ(values[1], 2.5);
  float second = 0;
  CUDA_OK(cudaMemcpyFromSymbol(&second, factors, sizeof second, sizeof second));
  CHECK_EQ(second, 2);
  check::DeviceArray<float> out(1, 0);
  use<<<1, 1>>>(out.get());
  LAUNCH_OK();
  CHECK_EQ(out.download()[0], 20.5f);
  return check::finish();
}
