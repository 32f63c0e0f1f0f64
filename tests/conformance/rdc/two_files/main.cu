// Separate compilation: device functions, device and constant variables, virtual tables and kernels across two files;
// statics of the same name stay apart.
#include "../../check.h"
#include "shared.h"

__device__ int counter = 10;
static __device__ int sameName = 1;
static __constant__ int sameConstant = 100;

__global__ static void localKernel(int *out) { out[threadIdx.x] = sameName + sameConstant; }

__global__ void callOther(int *out) {
  const int i = threadIdx.x;
  out[i] = square(i) + recursive(5) + static_cast<int>(factors[i % 4]) + half(i);
  atomicAdd(&counter, 1);
  if (i < 8) items[i].key += i;
}
__global__ void sums(int *out) { out[threadIdx.x] = blockSum(threadIdx.x) + blockSum(1); }

struct Mine : Base {
  __device__ int id() const override { return 1; }
};
__global__ void virtuals(int *out) {
  Base *objects[2] = {new Mine, makeOther()};
  out[0] = objects[0]->id() * 10 + objects[1]->id();
}

int main() {
  const int n = 50;
  check::DeviceArray<int> out(n, 0);
  callOther<<<1, n>>>(out.get());
  LAUNCH_OK();
  std::vector<int> host = out.download();
  for (int i = 0; i < n; ++i) CHECK_EQ(host[i], i * i + 120 + (i % 4 + 1) * 10 + i / 2);
  int count = 0;
  CUDA_OK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
  CHECK_EQ(count, 60);
  Item seen[8];
  CUDA_OK(cudaMemcpyFromSymbol(seen, items, sizeof seen));
  for (int i = 0; i < 8; ++i) CHECK_EQ(seen[i].key, i == 0 ? 5 : i);

  sums<<<1, n>>>(out.get());
  LAUNCH_OK();
  for (int v : out.download()) CHECK_EQ(v, n * (n - 1) / 2 + n);
  virtuals<<<1, 1>>>(out.get());
  LAUNCH_OK();
  CHECK_EQ(out.download()[0], 12);

  localKernel<<<1, 1>>>(out.get());
  LAUNCH_OK();
  CHECK_EQ(out.download()[0], 101);
  CHECK_EQ(launchOther(out.get(), n), cudaSuccess);
  host = out.download();
  for (int i = 0; i < n; ++i) CHECK_EQ(host[i], 2002 + count + i);
  CHECK_EQ(ownStatic(), 2);
  return check::finish();
}
