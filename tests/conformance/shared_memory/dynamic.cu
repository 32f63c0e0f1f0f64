// Dynamic shared memory: its size comes with the launch, several arrays are carved out of it, static arrays stay apart.
#include "../check.h"

__global__ void carve(float *out, int n) {
  extern __shared__ double storage[];
  double *doubles = storage;
  float *floats = reinterpret_cast<float *>(doubles + n);
  char *bytes = reinterpret_cast<char *>(floats + n);
  __shared__ int fixed[32];
  const int i = threadIdx.x;
  if (i < 32) fixed[i] = -i;
  if (i < n) {
    doubles[i] = i * 1.5;
    floats[i] = i * 0.25f;
    bytes[i] = static_cast<char>(i % 100);
  }
  __syncthreads();
  const int k = n - 1 - i;
  if (i < n) out[blockIdx.x * n + i] = static_cast<float>(doubles[k]) + floats[k] + bytes[k] + fixed[k % 32];
}

template <class T>
__global__ void typed(T *out) {
  extern __shared__ __align__(16) unsigned char raw[];
  T *values = reinterpret_cast<T *>(raw);
  values[threadIdx.x] = static_cast<T>(threadIdx.x + 0.5);
  __syncthreads();
  out[threadIdx.x] = values[(threadIdx.x + 1) % blockDim.x];
}

__device__ int *pool() {
  extern __shared__ int words[];
  return words;
}
__global__ void throughFunction(int *out) {
  pool()[threadIdx.x] = threadIdx.x * threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = pool()[blockDim.x - 1 - threadIdx.x];
}

__global__ void fillAll(int words, unsigned *sum) {
  extern __shared__ int everything[];
  for (int i = threadIdx.x; i < words; i += blockDim.x) everything[i] = i;
  __syncthreads();
  unsigned mine = 0;
  for (int i = threadIdx.x; i < words; i += blockDim.x) mine += everything[words - 1 - i];
  atomicAdd(sum, mine);
}

__global__ void none(int *out) { out[threadIdx.x] = 1; }

template <class T>
static void testTyped() {
  check::DeviceArray<T> out(50);
  typed<T><<<1, 50, 50 * sizeof(T)>>>(out.get());
  LAUNCH_OK();
  const std::vector<T> host = out.download();
  for (int i = 0; i < 50; ++i) CHECK_EQ(host[i], static_cast<T>((i + 1) % 50 + 0.5));
}

int main() {
  for (int n : {1, 33, 200}) {
    check::DeviceArray<float> out(5 * n);
    carve<<<5, 224, n * (sizeof(double) + sizeof(float) + 1)>>>(out.get(), n);
    LAUNCH_OK();
    const std::vector<float> host = out.download();
    for (int i = 0; i < 5 * n; ++i) {
      const int k = n - 1 - i % n;
      CHECK_EQ(host[i], k * 1.75f + k % 100 - k % 32);
    }
  }
  testTyped<char>();
  testTyped<float>();
  testTyped<double>();
  check::DeviceArray<int> out(100);
  throughFunction<<<1, 100, 400>>>(out.get());
  LAUNCH_OK();
  for (int i = 0; i < 100; ++i) CHECK_EQ(out.download()[i], (99 - i) * (99 - i));
  none<<<1, 100, 1000>>>(out.get());
  LAUNCH_OK();

  int device = 0, optin = 0;
  CUDA_OK(cudaGetDevice(&device));
  CUDA_OK(cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  CUDA_OK(cudaFuncSetAttribute(fillAll, cudaFuncAttributeMaxDynamicSharedMemorySize, optin));
  check::DeviceArray<unsigned> sum(1, 0u);
  const unsigned words = optin / 4;
  fillAll<<<2, 256, optin>>>(words, sum.get());
  LAUNCH_OK();
  CHECK_EQ(sum.download()[0], 2u * static_cast<unsigned>((unsigned long long)words * (words - 1) / 2));
  return check::finish();
}
