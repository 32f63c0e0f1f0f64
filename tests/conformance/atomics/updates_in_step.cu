// forms: block
// unoptimised: no
// What lanes of a converged warp write and update by atomics comes before what any of them reads behind it.
#include "../check.h"

namespace {

constexpr unsigned lanes = 32;
__device__ int count, total, other;

__global__ void ownThenOthers(int *out) {
  __shared__ int values[lanes];
  values[threadIdx.x] = static_cast<int>(threadIdx.x);
  atomicMax(&values[(threadIdx.x + 5) % lanes], 40);
  out[threadIdx.x] = values[threadIdx.x];
}

__global__ void readByAll(int *out) {
  atomicAdd(&count, 1);
  out[threadIdx.x] = count;
}

__global__ void readByOne(int *out) {
  atomicAdd(&total, 1);
  if (threadIdx.x == 0) out[0] = total;
}

__global__ void readByOneAsVolatile(int *out) {
  atomicAdd(&other, 1);
  if (threadIdx.x == 0) out[0] = *static_cast<volatile int *>(&other);
}

__global__ void inSharedMemory(int *out) {
  __shared__ int sum;
  sum = 0;
  atomicAdd(&sum, static_cast<int>(threadIdx.x));
  if (threadIdx.x % 4 == 0) out[threadIdx.x] = sum;
}

__global__ void inAnArm(int *out) {
  __shared__ int odd;
  if (threadIdx.x == 0) odd = 0;
  if (threadIdx.x % 2) atomicAdd(&odd, 1);
  __syncwarp();
  out[threadIdx.x] = odd;
}

template <class Expected>
void expect(void (*kernel)(int *), Expected expected, unsigned step = 1) {
  check::DeviceArray<int> out(lanes);
  kernel<<<1, lanes>>>(out.get());
  const std::vector<int> found = out.download();
  for (unsigned lane = 0; lane < lanes; lane += step) CHECK_EQ(found[lane], expected(static_cast<int>(lane)));
}

}  // namespace

int main() {
  expect(ownThenOthers, [](int) { return 40; });
  expect(readByAll, [](int) { return 32; });
  expect(readByOne, [](int) { return 32; }, lanes);
  expect(readByOneAsVolatile, [](int) { return 32; }, lanes);
  expect(inSharedMemory, [](int) { return 496; }, 4);
  expect(inAnArm, [](int) { return 16; });
  return check::finish();
}
