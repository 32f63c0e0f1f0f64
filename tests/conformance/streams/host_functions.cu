// Host functions and callbacks run between the work before and after them, in order, on another thread than device
// work.
#include "../check.h"

struct Log {
  std::vector<int> entries;
  const int *value = nullptr;
  cudaError_t status = cudaErrorUnknown;
};

static void CUDART_CB append(void *data) {
  Log *log = static_cast<Log *>(data);
  log->entries.push_back(*log->value);
}
static void CUDART_CB appended(cudaStream_t, cudaError_t status, void *data) {
  append(data);
  static_cast<Log *>(data)->status = status;
}

__global__ void multiply(int *value, int by) { *value *= by; }

int main() {
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  int *value = nullptr;
  CUDA_OK(cudaHostAlloc(&value, sizeof(int), cudaHostAllocMapped));
  *value = 1;
  Log log;
  log.value = value;
  for (int i = 0; i < 10; ++i) {
    CUDA_OK(cudaLaunchHostFunc(stream, append, &log));
    multiply<<<1, 1, 0, stream>>>(value, 3);
  }
  CUDA_OK(cudaStreamAddCallback(stream, appended, &log, 0));
  CUDA_OK(cudaStreamSynchronize(stream));
  CHECK_EQ(log.entries.size(), 11u);
  for (int i = 0, expected = 1; i < (int)log.entries.size(); ++i, expected *= 3) CHECK_EQ(log.entries[i], expected);
  CHECK_EQ(log.status, cudaSuccess);
  CHECK_EQ(cudaLaunchHostFunc(stream, nullptr, &log), cudaErrorInvalidValue);
  CUDA_OK(cudaStreamDestroy(stream));
  CUDA_OK(cudaFreeHost(value));
  return check::finish();
}
