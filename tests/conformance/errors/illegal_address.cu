// A kernel that dereferences a wild pointer ends with cudaErrorIllegalAddress, which every later call repeats.
#include "../check.h"
#include "../child.h"

__global__ void store(int *where) { *where = 1; }
__global__ void load(int *out, const int *where) { *out = where[threadIdx.x]; }

static int storeThrough(int *pointer) {
  int *good = nullptr;
  CUDA_OK(cudaMalloc(&good, 4));
  store<<<1, 1>>>(pointer);
  CHECK_EQ(cudaGetLastError(), cudaSuccess);  // the launch itself was fine
  CHECK_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  CHECK_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  int host = 0;
  CHECK_EQ(cudaMemcpy(&host, good, 4, cudaMemcpyDeviceToHost), cudaErrorIllegalAddress);
  void *more = nullptr;
  CHECK_EQ(cudaMalloc(&more, 4), cudaErrorIllegalAddress);
  store<<<1, 1>>>(good);
  CHECK_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  CHECK_EQ(cudaStreamSynchronize(nullptr), cudaErrorIllegalAddress);
  return check::failures;
}

static int loadNull() {
  int *good = nullptr;
  CUDA_OK(cudaMalloc(&good, 4));
  load<<<3, 33>>>(good, nullptr);
  int host = 0;
  CHECK_EQ(cudaMemcpy(&host, good, 4, cudaMemcpyDeviceToHost), cudaErrorIllegalAddress);
  CHECK_EQ(cudaStreamQuery(nullptr), cudaErrorIllegalAddress);
  return check::failures;
}

static void expectClean(const char *what, const check::ChildResult &result) {
  if (result.exitCode != 0) printf("%s: exit code %d\n%s", what, result.exitCode, result.output.c_str());
  CHECK_EQ(result.exitCode, 0);
}

int main() {
  expectClean("null", check::runInChild([] { return storeThrough(nullptr); }));
  expectClean("wild", check::runInChild([] { return storeThrough(reinterpret_cast<int *>(0x40)); }));
  expectClean("load", check::runInChild(loadNull));
  // The parent's device is its own.
  check::DeviceArray<int> value(1, 0);
  store<<<1, 1>>>(value.get());
  LAUNCH_OK();
  CHECK_EQ(value.download()[0], 1);
  return check::finish();
}
