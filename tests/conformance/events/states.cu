// Events: never recorded, pending, complete, recorded again; and what their misuse returns.
#include "../check.h"

#include <atomic>
#include <chrono>
#include <thread>

static std::atomic<bool> release{false};
static void CUDART_CB hold(void *) {
  while (!release) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

int main() {
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cudaEvent_t event, other, untimed;
  CUDA_OK(cudaEventCreate(&event));
  CUDA_OK(cudaEventCreateWithFlags(&other, cudaEventBlockingSync));
  CUDA_OK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));

  CHECK_EQ(cudaEventQuery(event), cudaSuccess);  // never recorded counts as complete
  CUDA_OK(cudaEventSynchronize(event));
  float ms = 0;
  CHECK_EQ(cudaEventElapsedTime(&ms, event, other), cudaErrorInvalidResourceHandle);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);

  CUDA_OK(cudaEventRecord(event, stream));
  CUDA_OK(cudaEventSynchronize(event));
  CUDA_OK(cudaLaunchHostFunc(stream, hold, nullptr));
  CUDA_OK(cudaEventRecord(other, stream));
  CUDA_OK(cudaEventRecord(untimed, stream));
  CHECK_EQ(cudaEventQuery(event), cudaSuccess);
  CHECK_EQ(cudaEventQuery(other), cudaErrorNotReady);
  CHECK_EQ(cudaEventElapsedTime(&ms, event, other), cudaErrorNotReady);
  release = true;
  CUDA_OK(cudaEventSynchronize(other));
  CUDA_OK(cudaEventSynchronize(untimed));
  CHECK_EQ(cudaEventQuery(other), cudaSuccess);
  CUDA_OK(cudaEventElapsedTime(&ms, event, other));
  CHECK(ms >= 0);
  cudaGetLastError();
  CHECK_EQ(cudaEventElapsedTime(&ms, event, untimed), cudaErrorInvalidResourceHandle);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);

  // Recording again makes it pending again.
  release = false;
  CUDA_OK(cudaLaunchHostFunc(stream, hold, nullptr));
  CUDA_OK(cudaEventRecord(event, stream));
  CHECK_EQ(cudaEventQuery(event), cudaErrorNotReady);
  release = true;
  CUDA_OK(cudaStreamSynchronize(stream));
  CHECK_EQ(cudaEventQuery(event), cudaSuccess);

  // An event may be destroyed while it is pending.
  release = false;
  CUDA_OK(cudaLaunchHostFunc(stream, hold, nullptr));
  CUDA_OK(cudaEventRecord(event, stream));
  CUDA_OK(cudaEventDestroy(event));
  release = true;
  CUDA_OK(cudaStreamSynchronize(stream));
  CUDA_OK(cudaEventDestroy(other));
  CUDA_OK(cudaEventDestroy(untimed));
  CHECK_EQ(cudaEventCreateWithFlags(&event, 0x100), cudaErrorInvalidValue);
  CUDA_OK(cudaStreamDestroy(stream));
  return check::finish();
}
