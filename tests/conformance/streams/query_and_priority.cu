// cudaStreamQuery, priorities (clamped to the range) and the special stream handles.
#include "../check.h"

#include <atomic>
#include <chrono>
#include <thread>

static std::atomic<bool> release{false};
static void CUDART_CB hold(void *) {
  while (!release) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}
__global__ void set(int *value, int to) { *value = to; }

int main() {
  int least = 7, greatest = 7;
  CUDA_OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  CHECK(least == 0);
  CHECK(greatest <= least);
  for (int asked : {least, greatest, least + 100, greatest - 100}) {
    cudaStream_t stream;
    int priority = 99;
    CUDA_OK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, asked));
    CUDA_OK(cudaStreamGetPriority(stream, &priority));
    CHECK_EQ(priority, asked > least ? least : asked < greatest ? greatest : asked);
    CUDA_OK(cudaStreamDestroy(stream));
  }

  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  CHECK_EQ(cudaStreamQuery(stream), cudaSuccess);
  CUDA_OK(cudaLaunchHostFunc(stream, hold, nullptr));
  CHECK_EQ(cudaStreamQuery(stream), cudaErrorNotReady);
  CHECK_EQ(cudaGetLastError(), cudaSuccess);  // "not ready" is no failure
  release = true;
  CUDA_OK(cudaStreamSynchronize(stream));
  CHECK_EQ(cudaStreamQuery(stream), cudaSuccess);
  CUDA_OK(cudaStreamDestroy(stream));

  check::DeviceArray<int> value(1, 0);
  for (cudaStream_t special : {cudaStreamLegacy, cudaStreamPerThread, cudaStream_t(nullptr)}) {
    set<<<1, 1, 0, special>>>(value.get(), 42);
    CUDA_OK(cudaGetLastError());
    CUDA_OK(cudaStreamSynchronize(special));
    CHECK_EQ(value.download()[0], 42);
    CUDA_OK(cudaMemset(value.get(), 0, 4));
  }
  CHECK_EQ(cudaStreamCreateWithFlags(&stream, 0x80), cudaErrorInvalidValue);
  CHECK_EQ(cudaStreamCreate(nullptr), cudaErrorInvalidValue);
  return check::finish();
}
