#include "tests/unit/emu_runtime/test_module.h"

namespace hostwarp::tests {
namespace {

struct UnifiedMemoryTest : RuntimeTest {
  char *memory = nullptr;
  static constexpr size_t bytes = 1 << 16;

  void SetUp() override {
    RuntimeTest::SetUp();
    ASSERT_EQ(cudaMallocManaged(reinterpret_cast<void **>(&memory), bytes, cudaMemAttachGlobal), cudaSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(cudaFree(memory), cudaSuccess);
    RuntimeTest::TearDown();
  }
  static int get(cudaMemRangeAttribute attribute, const void *start, size_t count) {
    int value = -77;
    EXPECT_EQ(cudaMemRangeGetAttribute(&value, sizeof(value), attribute, start, count), cudaSuccess);
    return value;
  }
};

TEST_F(UnifiedMemoryTest, AdviceHoldsForItsRange) {
  const cudaMemLocation host{cudaMemLocationTypeHost, 0}, device{cudaMemLocationTypeDevice, 0};
  EXPECT_EQ(get(cudaMemRangeAttributeReadMostly, memory, bytes), 0);
  ASSERT_EQ(cudaMemAdvise(memory, bytes / 2, cudaMemAdviseSetReadMostly, device), cudaSuccess);
  EXPECT_EQ(get(cudaMemRangeAttributeReadMostly, memory, bytes / 2), 1);
  EXPECT_EQ(get(cudaMemRangeAttributeReadMostly, memory, bytes / 2 + 1), 0);
  EXPECT_EQ(get(cudaMemRangeAttributePreferredLocation, memory, bytes), cudaInvalidDeviceId);
  ASSERT_EQ(cudaMemAdvise(memory, bytes, cudaMemAdviseSetPreferredLocation, host), cudaSuccess);
  EXPECT_EQ(get(cudaMemRangeAttributePreferredLocation, memory, bytes), cudaCpuDeviceId);
  ASSERT_EQ(cudaMemAdvise(memory, bytes, cudaMemAdviseSetAccessedBy, device), cudaSuccess);
  int accessed[3] = {};
  EXPECT_EQ(cudaMemRangeGetAttribute(accessed, sizeof(accessed), cudaMemRangeAttributeAccessedBy, memory, bytes),
            cudaSuccess);
  EXPECT_EQ(accessed[0], 0);
  EXPECT_EQ(accessed[1], cudaInvalidDeviceId);
}

TEST_F(UnifiedMemoryTest, PrefetchIsOrderedAndRemembered) {
  const cudaMemLocation device{cudaMemLocationTypeDevice, 1};
  ASSERT_EQ(cudaMemPrefetchAsync(memory, bytes, device, 0, nullptr), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(get(cudaMemRangeAttributeLastPrefetchLocation, memory, bytes), 1);
  EXPECT_EQ(cudaMemPrefetchAsync(memory, bytes + 1, device, 0, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPrefetchAsync(memory, bytes, {cudaMemLocationTypeDevice, 9}, 0, nullptr), cudaErrorInvalidDevice);
}

// Both devices of these tests reach the system's memory; what CUDA allocated otherwise stays where it is.
TEST_F(UnifiedMemoryTest, SystemsMemoryIsAdvisedWhereTheDeviceReachesIt) {
  const cudaMemLocation device{cudaMemLocationTypeDevice, 1};
  int local = 0;
  EXPECT_EQ(cudaMemPrefetchAsync(&local, sizeof(local), device, 0, nullptr), cudaSuccess);
  for (const size_t count : {size_t{0}, SIZE_MAX, size_t{1} << 62})
    EXPECT_EQ(cudaMemPrefetchAsync(&local, count, device, 0, nullptr), cudaErrorInvalidValue) << count;
  EXPECT_EQ(cudaMemAdvise(reinterpret_cast<void *>(16), 64, cudaMemAdviseSetReadMostly, device), cudaErrorInvalidValue);
  void *onDevice = nullptr;
  ASSERT_EQ(cudaMalloc(&onDevice, bytes), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(onDevice, bytes, device, 0, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(onDevice), cudaSuccess);
}

TEST_F(UnifiedMemoryTest, ManagedVariablesAreSharedWithTheHost) {
  ASSERT_NE(managedPointer, nullptr);
  EXPECT_EQ(managedPointer[1], 6);
  ASSERT_EQ(launch(addOne, 1, 2, nullptr, managedPointer, 2), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(managedPointer[1], 7);
}

}  // namespace
}  // namespace hostwarp::tests
