// Several host threads use the device at once: per-thread streams, private results, thread-local last error.
#include "../check.h"

#include <thread>

__global__ void work(int *out, int seed, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = seed * i;
}

static void user(int seed, bool *ok) {
  const int n = 3001;
  *ok = true;
  for (int round = 0; round < 10; ++round) {
    int *device = nullptr;
    std::vector<int> host(n);
    *ok &= cudaMalloc(&device, n * sizeof(int)) == cudaSuccess;
    work<<<3, 65, 0, cudaStreamPerThread>>>(device, seed + round, n);
    *ok &= cudaMemcpyAsync(host.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost, cudaStreamPerThread) ==
           cudaSuccess;
    *ok &= cudaStreamSynchronize(cudaStreamPerThread) == cudaSuccess;
    for (int i = 0; i < n; ++i) *ok &= host[i] == (seed + round) * i;
    *ok &= cudaFree(device) == cudaSuccess;
  }
}

int main() {
  bool ok[6] = {};
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) threads.emplace_back(user, t * 100, &ok[t]);
  for (std::thread &thread : threads) thread.join();
  for (bool each : ok) CHECK(each);

  // An error of one thread is not another one's last error.
  cudaError_t inThread = cudaSuccess;
  std::thread([&] {
    cudaSetDevice(-5);
    inThread = cudaPeekAtLastError();
  }).join();
  CHECK_EQ(inThread, cudaErrorInvalidDevice);
  CHECK_EQ(cudaGetLastError(), cudaSuccess);
  return check::finish();
}
