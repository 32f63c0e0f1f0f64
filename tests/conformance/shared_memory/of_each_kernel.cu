// A kernel's static shared memory is its own, and that of what it may call, also through pointers: not that of other
// kernels.
#include "../check.h"

__global__ void large(int *out) {
  __shared__ int values[10000];
  values[threadIdx.x] = (int)threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = values[threadIdx.x ^ 1];
}

__device__ int one(int x) { return x + 1; }
__device__ int two(int x) {
  __shared__ int factor[16];
  factor[threadIdx.x & 15] = 2;
  return x * factor[threadIdx.x & 15];
}
__device__ int (*table[2])(int) = {one, two};

__global__ void byPointer(int *out, int which) { *out = table[which](5); }

struct Shape {
  virtual __device__ int sides() const = 0;
};
struct Square : Shape {
  __device__ int sides() const override { return 4; }
};
struct Triangle : Shape {
  __device__ int sides() const override { return 3; }
};

__global__ void byVirtualCall(int *out, bool isSquare) {
  Square square;
  Triangle triangle;
  const Shape *shape = isSquare ? (const Shape *)&square : &triangle;
  *out = shape->sides();
}

__global__ void dynamic(int *out) {
  extern __shared__ int values[];
  values[threadIdx.x] = table[threadIdx.x & 1]((int)threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = values[threadIdx.x ^ 1];
}

template <class Kernel>
cudaFuncAttributes attributesOf(Kernel *kernel) {
  cudaFuncAttributes attributes;
  CUDA_OK(cudaFuncGetAttributes(&attributes, kernel));
  return attributes;
}

int main() {
  int *out;
  CUDA_OK(cudaMallocManaged(&out, 64 * sizeof(int)));
  CHECK_EQ(attributesOf(large).sharedSizeBytes, size_t(40000));
  CHECK(attributesOf(byPointer).sharedSizeBytes <= 64);
  CHECK(attributesOf(byVirtualCall).sharedSizeBytes <= 64);
  CHECK(attributesOf(dynamic).maxDynamicSharedSizeBytes >= 49152 - 64);
  large<<<1, 32>>>(out);
  LAUNCH_OK();
  for (int i = 0; i < 32; ++i) CHECK_EQ(out[i], i ^ 1);
  for (int which = 0; which < 2; ++which) {
    byPointer<<<1, 1>>>(out, which);
    LAUNCH_OK();
    CHECK_EQ(*out, which ? 10 : 6);
    byVirtualCall<<<1, 1>>>(out, which);
    LAUNCH_OK();
    CHECK_EQ(*out, which ? 4 : 3);
  }
  dynamic<<<1, 32, 40000>>>(out);
  LAUNCH_OK();
  for (int i = 0; i < 32; ++i) CHECK_EQ(out[i], (i ^ 1) & 1 ? (i ^ 1) * 2 : (i ^ 1) + 1);
  return check::finish();
}
