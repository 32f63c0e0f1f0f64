#include <numeric>
#include <vector>

#include "tests/unit/emu_runtime/test_module.h"

namespace hostwarp::tests {
namespace {

using CopyTest = RuntimeTest;

TEST_F(CopyTest, LargeCopiesArriveWhole) {
  std::vector<int> there(8 << 20), back(there.size());
  std::iota(there.begin(), there.end(), 0);
  const size_t bytes = there.size() * sizeof(int);
  void *a = nullptr, *b = nullptr;
  ASSERT_EQ(cudaMalloc(&a, bytes), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&b, bytes), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(a, there.data(), bytes, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(b, a, bytes, cudaMemcpyDeviceToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(back.data(), b, bytes, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(there, back);
  EXPECT_EQ(cudaFree(a), cudaSuccess);
  EXPECT_EQ(cudaFree(b), cudaSuccess);
}

TEST_F(CopyTest, WrongDirectionsAreRefused) {
  int *device = deviceInts(4, 0);
  int host[4] = {};
  EXPECT_EQ(cudaMemcpy(device, host, 16, static_cast<cudaMemcpyKind>(9)), cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaMemcpy(device, host, 16, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host, device, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host, host, 16, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  // Addresses that CUDA knows tell by themselves what they are.
  EXPECT_EQ(cudaMemcpy(device, device, 16, cudaMemcpyHostToHost), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(device, device, 16, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(nullptr, host, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device, host, 17, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(host, device, 16, cudaMemcpyDefault), cudaErrorInvalidValue);
}

TEST_F(CopyTest, RowsOfPitchedMemory) {
  void *device = nullptr;
  size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&device, &pitch, 12, 3), cudaSuccess);
  const int rows[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  int back[3][2] = {};
  EXPECT_EQ(cudaMemcpy2D(device, pitch, rows, 12, 12, 3, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy2D(back, 8, static_cast<char *>(device) + 4, pitch, 8, 3, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(back[0][0], 2);
  EXPECT_EQ(back[2][1], 9);
  EXPECT_EQ(cudaMemcpy2D(back, 4, device, pitch, 8, 3, cudaMemcpyDeviceToHost), cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaMemset2D(device, pitch, 0xFF, 4, 2), cudaSuccess);
  EXPECT_EQ(cudaMemcpy2D(back, 8, device, pitch, 8, 3, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(back[1][0], -1);
  EXPECT_EQ(back[1][1], 5);
  EXPECT_EQ(back[2][0], 7);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
}

TEST_F(CopyTest, BoxesWithOffsets) {
  cudaPitchedPtr device{};
  ASSERT_EQ(cudaMalloc3D(&device, cudaExtent{4, 4, 4}), cudaSuccess);
  ASSERT_EQ(cudaMemset3D(device, 0, cudaExtent{4, 4, 4}), cudaSuccess);
  char ones[8], all[64];
  std::fill(ones, ones + 8, 1);
  cudaMemcpy3DParms in{};
  in.srcPtr = {ones, 2, 2, 2};
  in.dstPtr = device;
  in.dstPos = {1, 1, 1};
  in.extent = {2, 2, 2};
  in.kind = cudaMemcpyHostToDevice;
  EXPECT_EQ(cudaMemcpy3D(&in), cudaSuccess);
  cudaMemcpy3DParms out{};
  out.srcPtr = device;
  out.dstPtr = {all, 4, 4, 4};
  out.extent = {4, 4, 4};
  out.kind = cudaMemcpyDeviceToHost;
  EXPECT_EQ(cudaMemcpy3D(&out), cudaSuccess);
  EXPECT_EQ(std::accumulate(all, all + 64, 0), 8);
  EXPECT_EQ(all[1 * 16 + 1 * 4 + 1], 1);
  EXPECT_EQ(all[2 * 16 + 2 * 4 + 2], 1);
  EXPECT_EQ(cudaFree(device.ptr), cudaSuccess);
}

TEST_F(CopyTest, PageableMemoryMayBeReusedAfterAnAsynchronousCopy) {
  std::atomic<int> flag{0};
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  int *device = deviceInts(1, 0);
  ASSERT_EQ(launch(waitForFlag, 1, 1, stream, &flag), cudaSuccess);
  int value = 7;
  EXPECT_EQ(cudaMemcpyAsync(device, &value, sizeof(value), cudaMemcpyHostToDevice, stream), cudaSuccess);
  value = 8;
  flag = 1;
  int back = 0;
  EXPECT_EQ(cudaMemcpyAsync(&back, device, sizeof(back), cudaMemcpyDeviceToHost, stream), cudaSuccess);
  EXPECT_EQ(back, 7);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
}

TEST_F(CopyTest, SymbolsHaveAddressSizeAndBounds) {
  int values[4] = {};
  void *address = nullptr;
  size_t bytes = 0;
  EXPECT_EQ(cudaMemcpyFromSymbol(values, plainVariable, sizeof(values), 0, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(values[3], 4);
  EXPECT_EQ(cudaGetSymbolSize(&bytes, constantVariable), cudaSuccess);
  EXPECT_EQ(bytes, 16U);
  EXPECT_EQ(cudaMemcpyToSymbol(constantVariable, values, 8, 8, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(cudaGetSymbolAddress(&address, constantVariable), cudaSuccess);
  EXPECT_EQ(static_cast<int *>(address)[3], 2);
  EXPECT_EQ(cudaMemcpyToSymbol(constantVariable, values, 12, 8, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyToSymbol(constantVariable, values, 4, 0, cudaMemcpyDeviceToHost),
            cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaGetSymbolSize(&bytes, &bytes), cudaErrorInvalidSymbol);
}

}  // namespace
}  // namespace hostwarp::tests
