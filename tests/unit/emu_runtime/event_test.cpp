#include <chrono>
#include <thread>

#include "tests/unit/emu_runtime/test_module.h"

namespace hostwarp::tests {
namespace {

struct EventTest : RuntimeTest {
  static cudaEvent_t make(unsigned flags = cudaEventDefault) {
    cudaEvent_t event = nullptr;
    EXPECT_EQ(cudaEventCreateWithFlags(&event, flags), cudaSuccess);
    return event;
  }
};

TEST_F(EventTest, MeasuresTimeBetweenRecordings) {
  cudaEvent_t start = make(), end = make();
  float ms = -1;
  ASSERT_EQ(cudaEventRecord(start, nullptr), cudaSuccess);
  ASSERT_EQ(cudaLaunchHostFunc(
                nullptr, [](void *) { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }, nullptr),
            cudaSuccess);
  ASSERT_EQ(cudaEventRecord(end, nullptr), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(end), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, end), cudaSuccess);
  EXPECT_GE(ms, 20.0F);
  EXPECT_LT(ms, 5000.0F);
  EXPECT_EQ(cudaEventDestroy(start), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(end), cudaSuccess);
}

TEST_F(EventTest, ElapsedTimeNeedsFinishedRecordingsWithTiming) {
  cudaEvent_t start = make(), end = make(), untimed = make(cudaEventDisableTiming);
  float ms = 0;
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, end), cudaErrorInvalidResourceHandle);
  std::atomic<int> flag{0};
  ASSERT_EQ(cudaEventRecord(start, nullptr), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(untimed, nullptr), cudaSuccess);
  ASSERT_EQ(launch(waitForFlag, 1, 1, nullptr, &flag), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(end, nullptr), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(start), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(end), cudaErrorNotReady);
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, end), cudaErrorNotReady);
  EXPECT_EQ(cudaEventElapsedTime(&ms, start, untimed), cudaErrorInvalidResourceHandle);
  flag = 1;
  EXPECT_EQ(cudaEventSynchronize(end), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(nullptr, start, end), cudaErrorInvalidValue);
  for (cudaEvent_t event : {start, end, untimed}) EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
  (void)cudaGetLastError();
}

TEST_F(EventTest, HandlesThatNameNoEventAreRefused) {
  cudaEvent_t event = make();
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
  int local = 0;
  for (cudaEvent_t bad : {cudaEvent_t{}, event, reinterpret_cast<cudaEvent_t>(&local)}) {
    EXPECT_EQ(cudaEventDestroy(bad), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaEventRecord(bad, nullptr), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaEventQuery(bad), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaEventSynchronize(bad), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaStreamWaitEvent(nullptr, bad, 0), cudaErrorInvalidResourceHandle);
  }
  EXPECT_EQ(cudaEventCreateWithFlags(&event, 0x80), cudaErrorInvalidValue);
}

TEST_F(EventTest, AnEventNeverRecordedIsComplete) {
  cudaEvent_t event = make();
  EXPECT_EQ(cudaEventQuery(event), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(event), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
}

}  // namespace
}  // namespace hostwarp::tests
