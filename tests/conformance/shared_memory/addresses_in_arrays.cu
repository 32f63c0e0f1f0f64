// Arrays and structures that begin with addresses of shared variables: each block has addresses of its own.
#include "../check.h"

namespace {

constexpr int threads = 32, blocks = 40;

extern __shared__ int dynamic[];

// Every block writes its own number into both buffers, and goes on exchanging them.
__global__ void staticOnes(int *out, int rounds) {
  __shared__ int first[threads], second[threads];
  int *buffers[2] = {first, second};
  const int t = threadIdx.x;
  buffers[0][t] = blockIdx.x * 1000 + t;
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    buffers[(round + 1) & 1][t] = buffers[round & 1][(t + 1) % threads];
    __syncthreads();
  }
  out[blockIdx.x * threads + t] = buffers[rounds & 1][t];
}

__global__ void dynamicOnes(int *out, int rounds) {
  int *const buffers[] = {dynamic, dynamic + threads};
  const int t = threadIdx.x;
  buffers[0][t] = blockIdx.x * 1000 + t;
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    buffers[(round + 1) & 1][t] = buffers[round & 1][(t + 1) % threads];
    __syncthreads();
  }
  out[blockIdx.x * threads + t] = buffers[rounds & 1][t];
}

struct View {
  int *values;
  int count;
};

__device__ __noinline__ int sumOf(const View *views, int which) {
  int sum = 0;
  for (int i = 0; i < views[which].count; ++i) sum += views[which].values[i];
  return sum;
}

__global__ void structures(int *out, int which) {
  __shared__ int values[threads];
  const View views[3] = {{values, 8}, {values + 8, threads - 8}, {nullptr, 0}};
  values[threadIdx.x] = blockIdx.x + threadIdx.x;
  __syncthreads();
  out[blockIdx.x * threads + threadIdx.x] = sumOf(views, which) + (views[2].values == nullptr);
}

// The same constant in a function that several kernels call.
__device__ __noinline__ int chosen(int which, int at) {
  __shared__ int left[4], right[4];
  int *sides[2][2] = {{left, right}, {right, left}};
  if (threadIdx.x < 4) {
    left[threadIdx.x] = blockIdx.x * 10 + threadIdx.x;
    right[threadIdx.x] = -left[threadIdx.x];
  }
  __syncthreads();
  return sides[which][1][at & 3];
}
__global__ void callsIt(int *out, int which) { out[blockIdx.x * threads + threadIdx.x] = chosen(which, threadIdx.x); }
__global__ void callsItToo(int *out, int which) {
  out[blockIdx.x * threads + threadIdx.x] = 1 + chosen(which, threadIdx.x);
}

template <class Kernel, class Expected>
void expect(Kernel kernel, int argument, Expected expected) {
  check::DeviceArray<int> out(blocks * threads);
  kernel<<<blocks, threads, 2 * threads * sizeof(int)>>>(out.get(), argument);
  LAUNCH_OK();
  const std::vector<int> found = out.download();
  for (int block = 0; block < blocks; ++block)
    for (int t = 0; t < threads; ++t) CHECK_EQ(found[block * threads + t], expected(block, t));
}

}  // namespace

int main() {
  for (int rounds : {0, 1, 6, 7}) {
    const auto turned = [&](int block, int t) { return block * 1000 + (t + rounds) % threads; };
    expect(staticOnes, rounds, turned);
    expect(dynamicOnes, rounds, turned);
  }
  expect(structures, 0, [](int block, int) { return 8 * block + 28 + 1; });
  expect(structures, 1, [](int block, int) { return 24 * block + 31 * 16 - 28 + 1; });
  expect(callsIt, 0, [](int block, int t) { return -(block * 10 + (t & 3)); });
  expect(callsIt, 1, [](int block, int t) { return block * 10 + (t & 3); });
  expect(callsItToo, 1, [](int block, int t) { return 1 + block * 10 + (t & 3); });
  return check::finish();
}
