#include <chrono>
#include <thread>

#include "tests/unit/emu_runtime/test_module.h"

namespace hostwarp::tests {
namespace {

struct StreamTest : RuntimeTest {
  std::atomic<int> flag{0};

  static cudaStream_t make(unsigned flags = cudaStreamDefault) {
    cudaStream_t stream = nullptr;
    EXPECT_EQ(cudaStreamCreateWithFlags(&stream, flags), cudaSuccess);
    return stream;
  }
};

TEST_F(StreamTest, LaunchesAreAsynchronous) {
  cudaStream_t stream = make();
  ASSERT_EQ(launch(waitForFlag, 1, 1, stream, &flag), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(stream), cudaErrorNotReady);
  flag = 1;
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  (void)cudaGetLastError();
}

TEST_F(StreamTest, NonBlockingStreamsPassTheLegacyStream) {
  cudaStream_t blocking = make(), free = make(cudaStreamNonBlocking);
  int *data = deviceInts(2, 0);
  ASSERT_EQ(launch(waitForFlag, 1, 1, nullptr, &flag), cudaSuccess);
  ASSERT_EQ(launch(addOne, 1, 1, free, data, 1), cudaSuccess);
  ASSERT_EQ(launch(addOne, 1, 1, blocking, data + 1, 1), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(free), cudaSuccess);
  EXPECT_EQ(data[0], 1);
  EXPECT_EQ(cudaStreamQuery(blocking), cudaErrorNotReady);
  EXPECT_EQ(data[1], 0);
  flag = 1;
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(data[1], 1);
  EXPECT_EQ(cudaStreamDestroy(blocking), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(free), cudaSuccess);
  EXPECT_EQ(cudaFree(data), cudaSuccess);
  (void)cudaGetLastError();
}

TEST_F(StreamTest, EachThreadHasItsOwnDefaultStream) {
  ASSERT_EQ(launch(waitForFlag, 1, 1, cudaStreamPerThread, &flag), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(cudaStreamPerThread), cudaErrorNotReady);
  std::thread([] { EXPECT_EQ(cudaStreamQuery(cudaStreamPerThread), cudaSuccess); }).join();
  flag = 1;
  EXPECT_EQ(cudaStreamSynchronize(cudaStreamPerThread), cudaSuccess);
  (void)cudaGetLastError();
}

TEST_F(StreamTest, HandlesThatNameNoStreamAreRefused) {
  cudaStream_t stream = make();
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  int local = 0;
  for (cudaStream_t bad : {stream, reinterpret_cast<cudaStream_t>(&local), reinterpret_cast<cudaStream_t>(0x33)}) {
    EXPECT_EQ(cudaStreamDestroy(bad), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaStreamSynchronize(bad), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaStreamQuery(bad), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaMemsetAsync(&local, 0, 4, bad), cudaErrorInvalidResourceHandle);
  }
  EXPECT_EQ(cudaStreamDestroy(nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamCreate(nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamCreateWithFlags(&stream, 8), cudaErrorInvalidValue);
}

TEST_F(StreamTest, ADestroyedStreamFinishesItsWork) {
  cudaStream_t stream = make();
  int *data = deviceInts(1, 0);
  ASSERT_EQ(launch(waitForFlag, 1, 1, stream, &flag), cudaSuccess);
  ASSERT_EQ(launch(addOne, 1, 1, stream, data, 1), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(data[0], 0);
  flag = 1;
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(data[0], 1);
  EXPECT_EQ(cudaFree(data), cudaSuccess);
}

TEST_F(StreamTest, HostFunctionsRunInOrderAndMayNotUseCuda) {
  struct Seen {
    int *data;
    int value = -1;
    cudaError_t inside = cudaSuccess;
  } seen{deviceInts(1, 0)};
  cudaStream_t stream = make();
  ASSERT_EQ(launch(addOne, 1, 1, stream, seen.data, 1), cudaSuccess);
  auto look = [](void *user) {
    auto *mine = static_cast<Seen *>(user);
    mine->value = mine->data[0];
    void *memory = nullptr;
    mine->inside = cudaMalloc(&memory, 8);
  };
  EXPECT_EQ(cudaLaunchHostFunc(stream, look, &seen), cudaSuccess);
  ASSERT_EQ(launch(addOne, 1, 1, stream, seen.data, 1), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(seen.value, 1);
  EXPECT_EQ(seen.inside, cudaErrorNotPermitted);
  EXPECT_EQ(cudaLaunchHostFunc(stream, nullptr, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaFree(seen.data), cudaSuccess);
}

TEST_F(StreamTest, CallbacksGetTheStreamAndItsStatus) {
  struct Seen {
    cudaStream_t stream = nullptr;
    cudaError_t status = cudaErrorUnknown;
  } seen;
  cudaStream_t stream = make();
  auto note = [](cudaStream_t s, cudaError_t status, void *user) { *static_cast<Seen *>(user) = {s, status}; };
  EXPECT_EQ(cudaStreamAddCallback(stream, note, &seen, 0), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(seen.stream, stream);
  EXPECT_EQ(seen.status, cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST_F(StreamTest, PrioritiesAreClamped) {
  int least = -1, greatest = 1, priority = 9;
  EXPECT_EQ(cudaDeviceGetStreamPriorityRange(&least, &greatest), cudaSuccess);
  EXPECT_LT(greatest, least);
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest - 10), cudaSuccess);
  EXPECT_EQ(cudaStreamGetPriority(stream, &priority), cudaSuccess);
  EXPECT_EQ(priority, greatest);
  unsigned flags = 0;
  EXPECT_EQ(cudaStreamGetFlags(stream, &flags), cudaSuccess);
  EXPECT_EQ(flags, unsigned{cudaStreamNonBlocking});
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST_F(StreamTest, WaitingForAnEventOfAnotherStream) {
  cudaStream_t first = make(cudaStreamNonBlocking), second = make(cudaStreamNonBlocking);
  cudaEvent_t event = nullptr;
  ASSERT_EQ(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), cudaSuccess);
  int *data = deviceInts(1, 0);
  ASSERT_EQ(launch(waitForFlag, 1, 1, first, &flag), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(event, first), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(second, event, 0), cudaSuccess);
  ASSERT_EQ(launch(addOne, 1, 1, second, data, 1), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(second), cudaErrorNotReady);
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);  // what was enqueued keeps its meaning
  flag = 1;
  EXPECT_EQ(cudaStreamSynchronize(second), cudaSuccess);
  EXPECT_EQ(data[0], 1);
  EXPECT_EQ(cudaStreamDestroy(first), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(second), cudaSuccess);
  EXPECT_EQ(cudaFree(data), cudaSuccess);
  (void)cudaGetLastError();
}

}  // namespace
}  // namespace hostwarp::tests
