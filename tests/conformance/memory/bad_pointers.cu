// Null, foreign and freed pointers, wrong directions and impossible sizes give an error and change nothing.
#include "../check.h"

#define EXPECT_ERROR(call, code)          \
  do {                                    \
    CHECK_EQ((call), (code));             \
    CHECK_EQ(cudaGetLastError(), (code)); \
  } while (0)

int main() {
  check::DeviceArray<int> array(64, 1);
  std::vector<int> host(64, 2);
  void *pointer = reinterpret_cast<void *>(0x1234);

  EXPECT_ERROR(cudaMalloc(static_cast<void **>(nullptr), 16), cudaErrorInvalidValue);
  CUDA_OK(cudaMalloc(&pointer, 0));
  CHECK_EQ(pointer, static_cast<void *>(nullptr));
  EXPECT_ERROR(cudaMalloc(&pointer, size_t(1) << 60), cudaErrorMemoryAllocation);
  EXPECT_ERROR(cudaMalloc(&pointer, ~size_t(0)), cudaErrorMemoryAllocation);

  CUDA_OK(cudaFree(nullptr));
  EXPECT_ERROR(cudaFree(host.data()), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaFree(array.get() + 1), cudaErrorInvalidValue);
  CUDA_OK(cudaMalloc(&pointer, 1000));
  CUDA_OK(cudaFree(pointer));
  EXPECT_ERROR(cudaFree(pointer), cudaErrorInvalidValue);

  EXPECT_ERROR(cudaMemcpy(nullptr, host.data(), 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaMemcpy(host.data(), nullptr, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaMemcpy(array.get(), host.data(), 4, static_cast<cudaMemcpyKind>(77)),
               cudaErrorInvalidMemcpyDirection);
  EXPECT_ERROR(cudaMemcpy(host.data(), array.get(), 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaMemcpy(array.get(), host.data(), 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaMemcpy(array.get(), host.data(), size_t(1) << 50, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_ERROR(cudaMemset(nullptr, 0, 4), cudaErrorInvalidValue);

  for (int v : array.download()) CHECK_EQ(v, 1);
  for (int v : host) CHECK_EQ(v, 2);
  return check::finish();
}
