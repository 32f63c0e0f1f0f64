// The legacy default stream orders itself with blocking streams in both directions, not with non-blocking ones.
#include "../check.h"

#include <atomic>
#include <chrono>
#include <thread>

static std::atomic<bool> release{false};
static void CUDART_CB holdStream(void *) {
  while (!release) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

__global__ void add(int *value, int amount) { *value += amount; }
__global__ void copy(int *to, const int *from) { *to = *from; }

static void blockingWaitsForLegacyAndBack() {
  cudaStream_t a, b;
  CUDA_OK(cudaStreamCreate(&a));
  CUDA_OK(cudaStreamCreate(&b));
  check::DeviceArray<int> value(1, 0), seen(2, -1);
  for (int i = 0; i < 10; ++i) {
    add<<<1, 1, 0, a>>>(value.get(), 1);  // a
    add<<<1, 1>>>(value.get(), 10);       // legacy: after a, before b
    copy<<<1, 1, 0, b>>>(seen.get(), value.get());
    copy<<<1, 1>>>(seen.get() + 1, seen.get());
  }
  CUDA_OK(cudaStreamSynchronize(cudaStreamLegacy));
  CHECK_EQ(seen.download()[1], 110);
  CUDA_OK(cudaStreamDestroy(a));
  CUDA_OK(cudaStreamDestroy(b));
}

// A non-blocking stream that waits for the host does not hold back the legacy stream.
static void nonBlockingIsIndependent() {
  cudaStream_t independent;
  CUDA_OK(cudaStreamCreateWithFlags(&independent, cudaStreamNonBlocking));
  unsigned flags = 0;
  CUDA_OK(cudaStreamGetFlags(independent, &flags));
  CHECK_EQ(flags, unsigned(cudaStreamNonBlocking));
  check::DeviceArray<int> value(1, 0);
  add<<<1, 1>>>(value.get(), 1);  // loads the kernel before anything is held back
  LAUNCH_OK();
  release = false;
  CUDA_OK(cudaLaunchHostFunc(independent, holdStream, nullptr));
  add<<<1, 1>>>(value.get(), 6);
  CUDA_OK(cudaStreamSynchronize(nullptr));
  CHECK_EQ(cudaStreamQuery(independent), cudaErrorNotReady);
  int host = 0;
  CUDA_OK(cudaMemcpy(&host, value.get(), sizeof host, cudaMemcpyDeviceToHost));
  CHECK_EQ(host, 7);
  release = true;
  CUDA_OK(cudaStreamSynchronize(independent));
  CUDA_OK(cudaStreamDestroy(independent));
}

// While a blocking stream is held, work of the legacy stream does not complete.
static void legacyWaitsForBlocking() {
  cudaStream_t blocking;
  CUDA_OK(cudaStreamCreate(&blocking));
  check::DeviceArray<int> value(1, 0);
  release = false;
  CUDA_OK(cudaLaunchHostFunc(blocking, holdStream, nullptr));
  add<<<1, 1>>>(value.get(), 6);
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  CHECK_EQ(cudaStreamQuery(nullptr), cudaErrorNotReady);
  cudaGetLastError();  // "not ready" may count as one
  release = true;
  CUDA_OK(cudaStreamSynchronize(nullptr));
  CHECK_EQ(value.download()[0], 6);
  CUDA_OK(cudaStreamDestroy(blocking));
}

int main() {
  blockingWaitsForLegacyAndBack();
  nonBlockingIsIndependent();
  legacyWaitsForBlocking();
  return check::finish();
}
