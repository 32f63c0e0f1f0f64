// cudaMemcpyToSymbol and FromSymbol for constant and device variables of all shapes, with offsets and streams.
#include "../check.h"

struct Config {
  float scale;
  int table[5];
};

__constant__ Config config;
__constant__ int many[1000];
__constant__ double single = 2.5;
__device__ int counters[10] = {1, 2, 3};
__device__ float4 quad;
__device__ Config initialised = {1.5f, {9, 8, 7}};
static __device__ int hidden = 77;
namespace space {
__device__ long long inNamespace = -5;
}

__global__ void read(float *out) {
  const int i = threadIdx.x;
  out[i] = config.scale * config.table[i % 5] + many[i * 9] + static_cast<float>(single);
}
__global__ void write() {
  atomicAdd(&counters[threadIdx.x % 10], 100);
  if (threadIdx.x == 0) {
    quad = make_float4(1, 2, 3, 4);
    hidden += static_cast<int>(space::inNamespace);
  }
}

static void misuse() {
  int back[11] = {};
  void *address = nullptr;
  int ordinary = 0;
  CHECK_EQ(cudaMemcpyToSymbol(ordinary, back, 4), cudaErrorInvalidSymbol);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidSymbol);
  CHECK_EQ(cudaGetSymbolAddress(&address, ordinary), cudaErrorInvalidSymbol);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidSymbol);
  CHECK_EQ(cudaMemcpyToSymbol(counters, back, 44), cudaErrorInvalidValue);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  CHECK_EQ(cudaMemcpyToSymbol(counters, back, 8, 36), cudaErrorInvalidValue);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

int main() {
  std::vector<int> numbers(1000);
  for (int i = 0; i < 1000; ++i) numbers[i] = i;
  const Config host = {0.5f, {2, 4, 6, 8, 10}};
  CUDA_OK(cudaMemcpyToSymbol(config, &host, sizeof host));
  CUDA_OK(cudaMemcpyToSymbol(many, numbers.data(), sizeof(int) * 1000));
  check::DeviceArray<float> out(100);
  read<<<1, 100>>>(out.get());
  LAUNCH_OK();
  for (int i = 0; i < 100; ++i) CHECK_EQ(out.download()[i], (i % 5 + 1) + i * 9 + 2.5f);

  const int replacement[2] = {-1, -2};
  CUDA_OK(cudaMemcpyToSymbol(many, replacement, sizeof replacement, 9 * sizeof(int)));
  const double ten = 10;
  CUDA_OK(cudaMemcpyToSymbolAsync(single, &ten, sizeof ten, 0, cudaMemcpyHostToDevice));
  read<<<1, 100>>>(out.get());
  LAUNCH_OK();
  CHECK_EQ(out.download()[1], 2 - 1 + 10.0f);
  CHECK_EQ(out.download()[2], 3 + 18 + 10.0f);

  write<<<1, 30>>>();
  LAUNCH_OK();
  int back[10];
  CUDA_OK(cudaMemcpyFromSymbol(back, counters, sizeof back));
  for (int i = 0; i < 10; ++i) CHECK_EQ(back[i], 300 + (i < 3 ? i + 1 : 0));
  CUDA_OK(cudaMemcpyFromSymbol(back, counters, 2 * sizeof(int), sizeof(int)));
  CHECK_EQ(back[1], 303);
  float4 q;
  CUDA_OK(cudaMemcpyFromSymbol(&q, quad, sizeof q));
  CHECK(q.x == 1 && q.w == 4);
  Config c;
  CUDA_OK(cudaMemcpyFromSymbol(&c, initialised, sizeof c));
  CHECK(c.scale == 1.5f && c.table[2] == 7 && c.table[4] == 0);
  int h;
  CUDA_OK(cudaMemcpyFromSymbol(&h, hidden, sizeof h));
  CHECK_EQ(h, 72);

  // The address of a symbol works as any device pointer; a symbol may be the source of a device copy.
  void *address = nullptr;
  size_t size = 0;
  CUDA_OK(cudaGetSymbolAddress(&address, counters));
  CUDA_OK(cudaGetSymbolSize(&size, counters));
  CHECK_EQ(size, 40u);
  CUDA_OK(cudaGetSymbolSize(&size, config));
  CHECK_EQ(size, sizeof(Config));
  CUDA_OK(cudaMemset(address, 0, 4));
  CUDA_OK(cudaMemcpyFromSymbol(out.get(), counters, 40, 0, cudaMemcpyDeviceToDevice));
  CUDA_OK(cudaMemcpy(back, out.get(), 40, cudaMemcpyDeviceToHost));
  CHECK_EQ(back[0], 0);
  CHECK_EQ(back[1], 302);
  CUDA_OK(cudaGetSymbolAddress(&address, many));
  CUDA_OK(cudaMemset(address, 0, 4000));
  read<<<1, 100>>>(out.get());
  LAUNCH_OK();
  CHECK_EQ(out.download()[99], 5 + 10.0f);

  misuse();
  return check::finish();
}
