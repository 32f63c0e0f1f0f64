// Launches without <<<>>>: kernels by their address in device code, parameters in buffers; what device code may ask
// about a kernel. The addresses come from functions for both sides, as libraries have them.
// options: -rdc=true -lcudadevrt
#include "../check.h"

struct Pair {
  double factor;
  short offset;
};

__global__ void scale(int *out, char add, Pair pair) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = int(threadIdx.x * pair.factor) + pair.offset + add;
}
template <int N>
__global__ void fill(int *out) {
  out[threadIdx.x] = N;
}
__global__ void __launch_bounds__(128) countDynamic(int *out) {
  extern __shared__ int words[];
  words[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x > 0) return;
  int sum = 0;
  for (unsigned i = 0; i < blockDim.x; ++i) sum += words[i];
  out[0] = sum;
}

__host__ __device__ void *scaleAddress() { return reinterpret_cast<void *>(scale); }
template <int N>
__host__ __device__ void *fillAddress() {
  return reinterpret_cast<void *>(fill<N>);
}
__host__ __device__ void *countAddress() { return reinterpret_cast<void *>(countDynamic); }

__global__ void launchScale(int *out) {
  struct Parameters {
    int *out;
    char add;
    Pair pair;
  };
  auto *parameters = static_cast<Parameters *>(cudaGetParameterBuffer(alignof(Parameters), sizeof(Parameters)));
  *parameters = {out, 7, {2.0, 100}};
  out[200] = cudaLaunchDevice(scaleAddress(), parameters, dim3(2), dim3(32), 0, 0);
}

__global__ void launchFill(int *out) {
  void *kernel = threadIdx.x == 0 ? fillAddress<5>() : fillAddress<6>();
  auto **parameters = static_cast<int **>(cudaGetParameterBuffer(64, sizeof(int *)));
  *parameters = out + 16 * threadIdx.x;
  out[200 + threadIdx.x] = cudaLaunchDevice(kernel, parameters, dim3(1), dim3(16), 0, 0);
}

__global__ void launchDynamic(int *out) {
  auto **parameters = static_cast<int **>(cudaGetParameterBuffer(64, sizeof(int *)));
  *parameters = out;
  out[200] = cudaLaunchDevice(countAddress(), parameters, dim3(1), dim3(96), 96 * sizeof(int), 0);
}

__global__ void ask(int *out) {
  cudaFuncAttributes attributes;
  out[0] = cudaFuncGetAttributes(&attributes, countAddress());
  out[1] = attributes.maxThreadsPerBlock;
  out[2] = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&out[3], countAddress(), 128, 0);
}

__global__ void tooManyThreads(int *out) {
  auto **parameters = static_cast<int **>(cudaGetParameterBuffer(64, sizeof(int *)));
  *parameters = out;
  cudaLaunchDevice(countAddress(), parameters, dim3(1), dim3(4096), 0, 0);
  out[0] = cudaGetLastError() != cudaSuccess;
}

int main() {
  check::DeviceArray<int> out(256, -1);
  launchScale<<<1, 1>>>(out.get());
  LAUNCH_OK();
  std::vector<int> got = out.download();
  CHECK_EQ(got[200], int(cudaSuccess));
  for (int i = 0; i < 64; ++i) CHECK_EQ(got[i], 2 * (i % 32) + 107);
  CHECK_EQ(got[64], -1);

  launchFill<<<1, 2>>>(out.get());
  LAUNCH_OK();
  got = out.download();
  for (int i = 0; i < 16; ++i) {
    CHECK_EQ(got[i], 5);
    CHECK_EQ(got[16 + i], 6);
  }

  launchDynamic<<<1, 1>>>(out.get());
  LAUNCH_OK();
  CHECK_EQ(out.download()[0], 96);

  ask<<<1, 1>>>(out.get());
  LAUNCH_OK();
  got = out.download();
  CHECK_EQ(got[0], int(cudaSuccess));
  CHECK_EQ(got[1], 128);
  CHECK_EQ(got[2], int(cudaSuccess));
  CHECK(got[3] > 0);

  tooManyThreads<<<1, 1>>>(out.get());
  LAUNCH_OK();
  CHECK_EQ(out.download()[0], 1);
  return check::finish();
}
