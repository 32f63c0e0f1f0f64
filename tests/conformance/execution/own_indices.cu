// Each thread has its own threadIdx and lane, however the code chooses between them: by conditions, in both arms of a
// branch, through groups, and in functions that several kernels call [CUDA 5.4.9].
#include <cooperative_groups.h>

#include "../check.h"

namespace cg = cooperative_groups;

__global__ void chosen(unsigned *out, int axis) {
  const unsigned own = axis == 0 ? threadIdx.x : axis == 1 ? threadIdx.y : threadIdx.z;
  const unsigned linear = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  out[linear] = own;
}

__global__ void sameTail(unsigned *out, int flag) {
  if (flag)
    atomicAdd(&out[threadIdx.x], 1u);
  else
    atomicAdd(&out[threadIdx.y], 1u);
}

__device__ int orOne(const int *address, int n) { return __isShared(address) ? n : 1; }

__global__ void afterBarrier(int *out, const int *in) {
  __syncthreads();
  if (threadIdx.x % 3 == 0) {
    int sum = 0;
    for (int i = 0; i < 4; ++i) sum += in[i];
    out[threadIdx.x] = sum + orOne(out, 2);
  } else {
    out[threadIdx.x] = -1;
  }
}

// The places are numbered from where an int ends: those behind it come back into its range by the difference.
__global__ void aroundTheEnd(int *out, const int *places, const int *first) {
  __shared__ int tile[256];
  const int place = places[threadIdx.x], start = *first;
  __syncthreads();
  tile[place - start] = 3 * static_cast<int>(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}

// Which of three equal numbers a thread reads depends on its data.
__global__ void byGroups(unsigned *out, const int *how) {
  const cg::thread_block block = cg::this_thread_block();
  const unsigned linear = block.thread_rank();
  const auto tile = cg::tiled_partition<32>(block);
  unsigned result = 0;
  switch (how[linear] % 4) {
    case 0:
      result = tile.thread_rank();
      break;
    case 1:
      result = block.thread_index().x;
      break;
    case 2:
      result = tile.meta_group_rank();
      break;
    default:
      result = linear;
      break;
  }
  out[linear] = result;
}

static __noinline__ __device__ unsigned place(unsigned factor) { return threadIdx.x * factor + threadIdx.y; }

__global__ void called(unsigned *out) {
  const unsigned first = place(10);
  __syncthreads();
  out[threadIdx.x + blockDim.x * threadIdx.y] = first * 1000 + place(10);
}

template <class T>
T *managed(size_t count) {
  T *memory = nullptr;
  CUDA_OK(cudaMallocManaged(&memory, count * sizeof(T)));
  CUDA_OK(cudaMemset(memory, 0, count * sizeof(T)));
  return memory;
}

void checkChosen() {
  const dim3 block(5, 3, 2);
  unsigned *out = managed<unsigned>(30);
  for (int axis = 0; axis < 3; ++axis) {
    chosen<<<1, block>>>(out, axis);
    LAUNCH_OK();
    for (unsigned i = 0; i < 30; ++i) CHECK_EQ(out[i], axis == 0 ? i % 5 : axis == 1 ? i / 5 % 3 : i / 15);
  }
  CUDA_OK(cudaFree(out));
}

void checkTails() {
  unsigned *out = managed<unsigned>(16);
  for (int flag = 0; flag < 2; ++flag) {
    CUDA_OK(cudaMemset(out, 0, 16 * sizeof *out));
    sameTail<<<1, dim3(8, 4)>>>(out, flag);
    LAUNCH_OK();
    for (unsigned i = 0; i < 16; ++i) CHECK_EQ(out[i], flag ? (i < 8 ? 4u : 0u) : (i < 4 ? 8u : 0u));
  }
  int *sums = managed<int>(64), *in = managed<int>(4);
  for (int i = 0; i < 4; ++i) in[i] = i;
  afterBarrier<<<1, 64>>>(sums, in);
  LAUNCH_OK();
  for (int i = 0; i < 64; ++i) CHECK_EQ(sums[i], i % 3 == 0 ? 7 : -1);
  CUDA_OK(cudaFree(out));
  CUDA_OK(cudaFree(sums));
  CUDA_OK(cudaFree(in));
}

void checkAroundTheEnd() {
  int *out = managed<int>(256), *places = managed<int>(256), *first = managed<int>(1);
  *first = 0x7fffffff - 100;
  for (unsigned i = 0; i < 256; ++i) places[i] = static_cast<int>(0x7fffffffu - 100 + i);
  aroundTheEnd<<<1, 256>>>(out, places, first);
  LAUNCH_OK();
  for (int i = 0; i < 256; ++i) CHECK_EQ(out[i], 3 * i);
  CUDA_OK(cudaFree(out));
  CUDA_OK(cudaFree(places));
  CUDA_OK(cudaFree(first));
}

void checkGroups() {
  const dim3 block(12, 8);
  unsigned *out = managed<unsigned>(96);
  int *how = managed<int>(96);
  for (int i = 0; i < 96; ++i) how[i] = i * 7 / 3;
  byGroups<<<1, block>>>(out, how);
  LAUNCH_OK();
  for (unsigned i = 0; i < 96; ++i) {
    const unsigned expected[] = {i % 32, i % 12, i / 32, i};
    CHECK_EQ(out[i], expected[how[i] % 4]);
  }
  called<<<1, block>>>(out);
  LAUNCH_OK();
  for (unsigned i = 0; i < 96; ++i) CHECK_EQ(out[i], (i % 12 * 10 + i / 12) * 1001);
  CUDA_OK(cudaFree(out));
  CUDA_OK(cudaFree(how));
}

int main() {
  checkChosen();
  checkTails();
  checkAroundTheEnd();
  checkGroups();
  return check::finish();
}
