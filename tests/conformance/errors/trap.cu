// __trap() ends the kernel with an error that stays; the work before it in the stream is kept.
#include "../check.h"
#include "../child.h"

__global__ void trapIf(int *value, int limit) {
  if (*value >= limit) __trap();
  *value += 1;
}

static int body() {
  int *value = nullptr;
  CUDA_OK(cudaHostAlloc(&value, sizeof(int), cudaHostAllocMapped));
  *value = 0;
  for (int i = 0; i < 5; ++i) trapIf<<<1, 1>>>(value, 5);
  CHECK_EQ(cudaDeviceSynchronize(), cudaSuccess);
  trapIf<<<1, 1>>>(value, 5);
  const cudaError_t error = cudaDeviceSynchronize();
  CHECK(error == cudaErrorLaunchFailure || error == cudaErrorIllegalInstruction);
  CHECK_EQ(cudaGetLastError(), error);
  CHECK_EQ(cudaGetLastError(), cudaSuccess);  // the thread's copy is gone, the context's error is not
  void *memory = nullptr;
  CHECK_EQ(cudaMalloc(&memory, 4), error);
  CHECK_EQ(cudaPeekAtLastError(), error);
  CHECK_EQ(cudaDeviceSynchronize(), error);
  CHECK_EQ(*value, 5);
  return check::failures;
}

int main() {
  const check::ChildResult result = check::runInChild(body);
  if (result.exitCode != 0) printf("%s", result.output.c_str());
  CHECK_EQ(result.exitCode, 0);
  return check::finish();
}
