// Variables of the device that are declared extern and given a value are defined here, and known to the host.
#include "../check.h"

extern __device__ int counted = 5;
extern "C" {
extern __constant__ int pair[2] = {3, 4};
}
namespace inner {
extern __device__ const int fixed = 9;
extern __managed__ int shared = 7;
}  // namespace inner

__global__ void addUp() {
  counted += pair[1] + inner::fixed;
  inner::shared++;
}

template <class T>
int fromDevice(const T &symbol) {
  int value = -1;
  CUDA_OK(cudaMemcpyFromSymbol(&value, symbol, sizeof(value)));
  return value;
}

int main() {
  CHECK_EQ(fromDevice(counted), 5);
  CHECK_EQ(fromDevice(inner::fixed), 9);
  addUp<<<1, 1>>>();
  CUDA_OK(cudaDeviceSynchronize());
  CHECK_EQ(fromDevice(counted), 5 + 4 + 9);
  CHECK_EQ(inner::shared, 8);
  size_t bytes = 0;
  CUDA_OK(cudaGetSymbolSize(&bytes, pair));
  CHECK_EQ(bytes, sizeof(pair));
  return check::finish();
}
