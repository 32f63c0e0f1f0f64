// A program of a hundred lines such as a CUDA course hands in: three kernels and their checks. The same file is valid
// plain C++, which is what its compile time is compared with.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

#if defined(__CUDACC__)
#define LAUNCH(kernel, grid, block, ...) kernel<<<grid, block>>>(__VA_ARGS__)
#else
#define LAUNCH(kernel, grid, block, ...) hostwarp::launch(grid, block, 0, 0, kernel, __VA_ARGS__)
#endif

#define CHECK(call)                                                        \
  do {                                                                     \
    cudaError_t status = (call);                                           \
    if (status != cudaSuccess) {                                           \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status)); \
      return false;                                                        \
    }                                                                      \
  } while (0)

constexpr int tile = 16;
constexpr int threads = 256;

__global__ void saxpy(float a, const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void matmul(const float *a, const float *b, float *c, int n) {
  __shared__ float tileA[tile][tile], tileB[tile][tile];
  const int row = blockIdx.y * tile + threadIdx.y;
  const int column = blockIdx.x * tile + threadIdx.x;
  float sum = 0;
  for (int step = 0; step < n / tile; step++) {
    tileA[threadIdx.y][threadIdx.x] = a[row * n + step * tile + threadIdx.x];
    tileB[threadIdx.y][threadIdx.x] = b[(step * tile + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < tile; k++) sum += tileA[threadIdx.y][k] * tileB[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void reduce(const float *input, float *output, int n) {
  __shared__ float partial[threads];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += input[i];
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (int half = threads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) output[blockIdx.x] = partial[0];
}

bool upload(const std::vector<float> &from, float **to) {
  CHECK(cudaMalloc(to, from.size() * sizeof(float)));
  CHECK(cudaMemcpy(*to, from.data(), from.size() * sizeof(float), cudaMemcpyHostToDevice));
  return true;
}

bool run(int n) {
  std::vector<float> a(n * n, 1.0f), b(n * n, 2.0f), partial(64);
  float *deviceA, *deviceB, *deviceC, *devicePartial;
  if (!upload(a, &deviceA) || !upload(b, &deviceB) || !upload(a, &deviceC) || !upload(partial, &devicePartial))
    return false;
  LAUNCH(matmul, dim3(n / tile, n / tile), dim3(tile, tile), deviceA, deviceB, deviceC, n);
  CHECK(cudaGetLastError());
  LAUNCH(saxpy, dim3((n * n + threads - 1) / threads), dim3(threads), 0.5f, deviceA, deviceC, n * n);
  CHECK(cudaGetLastError());
  LAUNCH(reduce, dim3(64), dim3(threads), deviceC, devicePartial, n * n);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(partial.data(), devicePartial, partial.size() * sizeof(float), cudaMemcpyDeviceToHost));
  double total = 0;
  for (float value : partial) total += value;
  const double expected = (2.0 * n + 0.5) * n * n;
  std::printf("sum %.1f, expected %.1f\n", total, expected);
  CHECK(cudaFree(deviceA));
  CHECK(cudaFree(deviceB));
  CHECK(cudaFree(deviceC));
  CHECK(cudaFree(devicePartial));
  return std::fabs(total - expected) < 1e-3 * expected;
}

int main() { return run(128) ? 0 : 1; }
