#include "emu_runtime/device/device.h"
#include "tests/unit/emu_runtime/test_module.h"

namespace hostwarp::tests {
namespace {

struct MemoryPoolTest : RuntimeTest {
  cudaMemPool_t pool = nullptr;
  void SetUp() override {
    RuntimeTest::SetUp();
    ASSERT_EQ(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
  }
  uint64_t get(cudaMemPoolAttr attribute) const {
    uint64_t value = 0;
    EXPECT_EQ(cudaMemPoolGetAttribute(pool, attribute, &value), cudaSuccess);
    return value;
  }
  void setThreshold(uint64_t bytes) const {
    EXPECT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &bytes), cudaSuccess);
  }
};

TEST_F(MemoryPoolTest, FreedMemoryIsReusedInOrder) {
  setThreshold(UINT64_MAX);
  void *first = nullptr, *second = nullptr;
  ASSERT_EQ(cudaMallocAsync(&first, 1 << 20, nullptr), cudaSuccess);
  EXPECT_EQ(get(cudaMemPoolAttrUsedMemCurrent), 1U << 20);
  EXPECT_EQ(cudaFreeAsync(first, nullptr), cudaSuccess);
  ASSERT_EQ(cudaMallocAsync(&second, 1 << 20, nullptr), cudaSuccess);
  EXPECT_EQ(first, second);
  EXPECT_EQ(cudaFree(second), cudaSuccess);
  EXPECT_EQ(get(cudaMemPoolAttrUsedMemCurrent), 0U);
  EXPECT_GE(get(cudaMemPoolAttrReservedMemCurrent), 1U << 20);
  setThreshold(0);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(get(cudaMemPoolAttrReservedMemCurrent), 0U);
}

TEST_F(MemoryPoolTest, MemoryStaysItsStreamsUntilItIsFreed) {
  std::atomic<int> flag{0};
  void *first = nullptr, *elsewhere = nullptr, *again = nullptr;
  cudaStream_t other = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaMallocAsync(&first, 4096, nullptr), cudaSuccess);
  ASSERT_EQ(launch(waitForFlag, 1, 1, nullptr, &flag), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(first, nullptr), cudaSuccess);
  ASSERT_EQ(cudaMallocAsync(&elsewhere, 4096, other), cudaSuccess);
  EXPECT_NE(first, elsewhere);
  ASSERT_EQ(cudaMallocAsync(&again, 4096, nullptr), cudaSuccess);
  EXPECT_EQ(first, again);
  flag = 1;
  EXPECT_EQ(cudaFreeAsync(again, nullptr), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(again, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeAsync(elsewhere, other), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);  // the kernel reads `flag` until it ends
  EXPECT_EQ(cudaStreamDestroy(other), cudaSuccess);
}

TEST_F(MemoryPoolTest, OrdinaryMemoryMayBeFreedInAStream) {
  std::atomic<int> flag{0};
  int *data = deviceInts(1, 0);
  ASSERT_EQ(launch(waitForFlag, 1, 1, nullptr, &flag), cudaSuccess);
  ASSERT_EQ(launch(addOne, 1, 1, nullptr, data, 1), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(data, nullptr), cudaSuccess);
  EXPECT_EQ(*data, 0);  // still there: the stream has not come to the free
  flag = 1;
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  int local = 0;
  EXPECT_EQ(cudaFreeAsync(&local, nullptr), cudaErrorInvalidValue);
}

TEST_F(MemoryPoolTest, PoolsOfTheProgramHaveTheirOwnLimit) {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  properties.maxSize = 1 << 20;
  cudaMemPool_t own = nullptr;
  ASSERT_EQ(cudaMemPoolCreate(&own, &properties), cudaSuccess);
  void *memory = nullptr;
  EXPECT_EQ(cudaMallocFromPoolAsync(&memory, 2 << 20, own, nullptr), cudaErrorMemoryAllocation);
  ASSERT_EQ(cudaMallocFromPoolAsync(&memory, 4096, own, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMemPoolDestroy(own), cudaSuccess);
  EXPECT_EQ(cudaMemPoolDestroy(own), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPoolDestroy(pool), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeAsync(memory, nullptr), cudaSuccess);
}

}  // namespace
}  // namespace hostwarp::tests
