#include <thread>

#include "tests/unit/emu_runtime/test_module.h"

namespace hostwarp::tests {
namespace {

// Each test that breaks the context repairs it.
struct ErrorTest : RuntimeTest {
  void TearDown() override {
    (void)cudaDeviceReset();
    while (cudaGetLastError() != cudaSuccess) {
    }
    RuntimeTest::TearDown();
  }
};

TEST_F(ErrorTest, TheLastErrorIsTheThreadsOwnAndReadOnce) {
  EXPECT_EQ(cudaMalloc(nullptr, 1), cudaErrorInvalidValue);
  std::thread([] { EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess); }).join();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(ErrorTest, AFaultInAKernelSticksUntilTheReset) {
  int *nowhere = nullptr;
  ASSERT_EQ(launch(storeInt, 1, 1, nullptr, nowhere, 1), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  void *memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, 8), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(launch(storeInt, 1, 1, nullptr, nowhere, 1), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&memory, 8), cudaSuccess);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
}

TEST_F(ErrorTest, ATrapIsALaunchFailure) {
  ASSERT_EQ(launch(divergeTrap, 2, 64, nullptr), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
}

TEST_F(ErrorTest, WorkBehindAFaultDoesNotRun) {
  int *data = nullptr;
  ASSERT_EQ(cudaMallocHost(reinterpret_cast<void **>(&data), sizeof(int)), cudaSuccess);
  *data = 0;
  int *nowhere = nullptr;
  ASSERT_EQ(launch(storeInt, 1, 1, nullptr, nowhere, 1), cudaSuccess);
  (void)launch(addOne, 1, 1, nullptr, data, 1);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_EQ(*data, 0);
}

TEST_F(ErrorTest, OtherDevicesGoOn) {
  int *nowhere = nullptr;
  ASSERT_EQ(launch(storeInt, 1, 1, nullptr, nowhere, 1), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  int *data = deviceInts(1, 5);
  EXPECT_EQ(launch(addOne, 1, 1, nullptr, data, 1), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(*data, 6);
  EXPECT_EQ(cudaFree(data), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
}

TEST_F(ErrorTest, ResetWaitsForWorkInFlight) {
  std::atomic<int> flag{0};
  ASSERT_EQ(launch(waitForFlag, 1, 1, nullptr, &flag), cudaSuccess);
  std::thread release([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    flag = 1;
  });
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(flag, 1);
  release.join();
}

TEST_F(ErrorTest, ResetGivesVariablesTheirFirstValues) {
  const int changed[4] = {9, 9, 9, 9};
  int values[4] = {};
  for (int device : {0, 1}) {
    ASSERT_EQ(cudaSetDevice(device), cudaSuccess);
    ASSERT_EQ(cudaMemcpyToSymbol(plainVariable, changed, sizeof(changed), 0, cudaMemcpyHostToDevice), cudaSuccess);
    ASSERT_EQ(cudaMemcpyToSymbol(constantVariable, changed, sizeof(changed), 0, cudaMemcpyHostToDevice), cudaSuccess);
    ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
    ASSERT_EQ(cudaMemcpyFromSymbol(values, plainVariable, sizeof(values), 0, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(values[3], 4);
    ASSERT_EQ(cudaMemcpyFromSymbol(values, constantVariable, sizeof(values), 0, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(values[3], 0);
  }
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
}

// A free behind a kernel that fails is executed, or the pool would miss the memory for ever.
TEST_F(ErrorTest, FreesInAFailedContextAreExecuted) {
  cudaMemPool_t pool = nullptr;
  ASSERT_EQ(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
  uint64_t before = 0, after = 0;
  ASSERT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &before), cudaSuccess);
  void *memory = nullptr;
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaMallocAsync(&memory, 4096, stream), cudaSuccess);
  std::atomic<int> flag{0};
  ASSERT_EQ(launch(waitForFlag, 1, 1, stream, &flag), cudaSuccess);
  ASSERT_EQ(launch(storeInt, 1, 1, stream, static_cast<int *>(nullptr), 1), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(memory, stream), cudaSuccess);
  flag = 1;
  EXPECT_NE(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  ASSERT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &after), cudaSuccess);
  EXPECT_EQ(after, before);
}

TEST_F(ErrorTest, DevicesOutOfRange) {
  int count = 0;
  ASSERT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(count, 2);
  EXPECT_EQ(cudaSetDevice(count), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaSetDevice(-1), cudaErrorInvalidDevice);
  cudaDeviceProp properties;
  EXPECT_EQ(cudaGetDeviceProperties(&properties, count), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessUnsupported);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaSuccess);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
  EXPECT_EQ(cudaDeviceDisablePeerAccess(1), cudaSuccess);
  EXPECT_EQ(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
}

}  // namespace
}  // namespace hostwarp::tests
