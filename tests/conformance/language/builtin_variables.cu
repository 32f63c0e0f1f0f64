// threadIdx, blockIdx, blockDim and gridDim are constants of type uint3 and dim3: they have a size, are copied, deduced
// from and bound to references.
#include <utility>

#include "../check.h"

__global__ void types(int *wrong) {
  static_assert(sizeof(threadIdx) == 12 && sizeof(blockIdx) == 12 && sizeof(blockDim) == 12 && sizeof(gridDim) == 12);
  static_assert(std::is_same_v<decltype(threadIdx), const uint3> && std::is_same_v<decltype(blockIdx), const uint3>);
  static_assert(std::is_same_v<decltype(blockDim), const dim3> && std::is_same_v<decltype(gridDim), const dim3>);
  auto copy = threadIdx;
  static_assert(std::is_same_v<decltype(copy), uint3> && sizeof copy == 12);
  copy.x += 100;
  auto size = blockDim;
  size.y = 77;
  *wrong += copy.x != threadIdx.x + 100 || copy.y != threadIdx.y || size.y != 77 || size.x != 4 || blockDim.y != 2;
}

template <class Extent>
__device__ unsigned product(const Extent &e) {
  return e.x * e.y * e.z;
}
template <class T>
__device__ unsigned lastOf(T t) {
  static_assert(std::is_same_v<T, uint3> || std::is_same_v<T, dim3>);
  return t.z;
}
__device__ __noinline__ unsigned linear(const uint3 &index, const dim3 &extent) {
  return index.x + extent.x * (index.y + extent.y * index.z);
}
struct Place {
  uint3 thread, block;
  unsigned size[3];
};

__global__ void use(unsigned *out) {
  __shared__ Place places[24];
  const unsigned i = linear(threadIdx, blockDim), block = linear(blockIdx, gridDim);
  places[i] = Place{threadIdx, blockIdx, {blockDim.x, blockDim.y, blockDim.z}};
  __syncthreads();
  const Place &other = places[23 - i];
  const auto &[x, y, z] = other.thread;
  unsigned sum = linear(other.thread, dim3(other.size[0], other.size[1], other.size[2])) + 100 * x + 1000 * y + z;
  sum += 100000 * product(blockDim) + lastOf(threadIdx) + lastOf(gridDim);
  out[block * 24 + i] = sum + other.block.y * 10000;
}

int main() {
  check::DeviceArray<int> wrong(1, 0);
  types<<<1, dim3(4, 2)>>>(wrong.get());
  LAUNCH_OK();
  CHECK_EQ(wrong.download()[0], 0);
  const dim3 grid(2, 3, 1), block(4, 3, 2);
  check::DeviceArray<unsigned> out(6 * 24);
  use<<<grid, block>>>(out.get());
  LAUNCH_OK();
  const std::vector<unsigned> values = out.download();
  for (unsigned i = 0; i < values.size(); ++i) {
    const unsigned thread = i % 24, other = 23 - thread, blockY = i / 24 / 2;
    const unsigned x = other % 4, y = other / 4 % 3, z = other / 12;
    CHECK_EQ(values[i], other + 100 * x + 1000 * y + z + 2400000 + thread / 12 + 1 + blockY * 10000);
  }
  return check::finish();
}
