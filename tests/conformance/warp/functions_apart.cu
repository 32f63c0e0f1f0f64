// Collectives in functions that stay functions: __noinline__ ones, several layers of them, in branches and loops, and
// large ones [CUDA 5.4.6].
#include "../check.h"

__device__ __noinline__ int total(unsigned mask, int value) {
  for (int offset = 16; offset; offset >>= 1) value += __shfl_xor_sync(mask, value, offset);
  return value;
}

__device__ __noinline__ unsigned evenOnes(unsigned mask, int value) { return __ballot_sync(mask, value % 2 == 0); }

__device__ __noinline__ int rank(unsigned mask, int value) {
  const unsigned before = (1u << (threadIdx.x % 32)) - 1;
  return value % 2 == 0 ? __popc(evenOnes(mask, value) & before) : -__popc(~evenOnes(mask, value) & before);
}

__device__ __noinline__ int upwards(int value, int &last) {
  const int lane = threadIdx.x % 32;
  for (int offset = 1; offset < 32; offset *= 2) {
    const int other = __shfl_up_sync(~0u, value, offset);
    if (lane >= offset) value += other;
  }
  last = __shfl_sync(~0u, value, 31);
  return value;
}

__device__ __noinline__ int ofBlock(int *shared, int value) {
  const int sum = total(~0u, value);
  __syncthreads();
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = sum;
  __syncthreads();
  int all = 0;
  for (unsigned warp = 0; warp < blockDim.x / 32; ++warp) all += shared[warp];
  return all;
}

__global__ void kernel(int *out, const int *in, int rounds) {
  __shared__ int shared[8];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  int value = in[i], last = 0;
  int result = rank(~0u, value);
  result += upwards(value, last) + 3 * last;
  for (int round = 0; round < rounds; ++round) result += ofBlock(shared, value + round);
  if (t / 32 == blockIdx.x % 2) result += 1000 * total(~0u, value & 7);
  if (value < 0) return;
  result += __any_sync(__activemask(), value > 90) ? 5 : 7;
  out[i] = result;
}

int main() {
  constexpr int threads = 96, blocks = 5, n = threads * blocks, rounds = 3;
  int *in, *out;
  CUDA_OK(cudaMallocManaged(&in, n * sizeof(int)));
  CUDA_OK(cudaMallocManaged(&out, n * sizeof(int)));
  for (int i = 0; i < n; ++i) {
    in[i] = i * 37 % 101 - 3 * (i % 11 == 0);
    out[i] = -12345;
  }
  kernel<<<blocks, threads>>>(out, in, rounds);
  CUDA_OK(cudaDeviceSynchronize());
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    const int first = i / 32 * 32, block = i / threads * threads;
    if (in[i] < 0) {
      wrong += out[i] != -12345;
      continue;
    }
    int even = 0, odd = 0, prefix = 0, warp = 0, small = 0, all = 0, any = 0;
    for (int k = first; k < first + 32; ++k) {
      if (k < i) (in[k] % 2 == 0 ? even : odd) += 1;
      if (k <= i) prefix += in[k];
      warp += in[k];
      small += in[k] & 7;
      any |= in[k] > 90;
    }
    for (int k = block; k < block + threads; ++k) all += in[k];
    int expected = in[i] % 2 == 0 ? even : -odd;
    expected += prefix + 3 * warp;
    for (int round = 0; round < rounds; ++round) expected += all + round * threads;
    if (i % threads / 32 == i / threads % 2) expected += 1000 * small;
    expected += any ? 5 : 7;
    wrong += out[i] != expected;
  }
  CHECK_EQ(wrong, 0);
  CUDA_OK(cudaFree(in));
  CUDA_OK(cudaFree(out));
  return check::finish();
}
