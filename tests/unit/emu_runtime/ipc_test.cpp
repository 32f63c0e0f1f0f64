#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <string>

#include "tests/unit/emu_runtime/test_module.h"

namespace hostwarp::tests {
namespace {

constexpr int count = 1000;

// Message is what the two processes tell each other through a pipe.
struct Message {
  cudaIpcMemHandle_t memory;
  cudaIpcEventHandle_t event;
};

// consume() is the other process: it waits for the values, adds one to each, and says so by the event.
int consume(const Message &message) {
  int *data = nullptr, *again = nullptr;
  cudaEvent_t event = nullptr;
  cudaStream_t stream = nullptr;
  if (cudaStreamCreate(&stream) != cudaSuccess) return 1;
  if (cudaIpcOpenMemHandle(reinterpret_cast<void **>(&data), message.memory, cudaIpcMemLazyEnablePeerAccess)) return 2;
  if (cudaIpcOpenMemHandle(reinterpret_cast<void **>(&again), message.memory, cudaIpcMemLazyEnablePeerAccess)) return 3;
  if (again != data || cudaIpcCloseMemHandle(again) != cudaSuccess) return 4;
  if (cudaIpcOpenEventHandle(&event, message.event) != cudaSuccess) return 5;
  if (cudaStreamWaitEvent(stream, event, 0) != cudaSuccess) return 6;
  if (launch(addOne, 8, 128, stream, data, count) != cudaSuccess) return 7;
  if (cudaEventRecord(event, stream) != cudaSuccess) return 8;
  if (cudaStreamSynchronize(stream) != cudaSuccess) return 9;
  if (cudaIpcCloseMemHandle(data) != cudaSuccess) return 10;
  if (cudaFree(data) == cudaSuccess) return 11;
  return 0;
}

// The parent makes the memory. The child is forked before either has used CUDA, so the test starts its own process.
int produce(int toChild, pid_t child) {
  int *data = nullptr;
  Message message;
  cudaEvent_t event = nullptr;
  if (cudaMalloc(reinterpret_cast<void **>(&data), count * sizeof(int)) != cudaSuccess) return 21;
  if (cudaMemset(data, 0, count * sizeof(int)) != cudaSuccess) return 22;
  if (cudaIpcGetMemHandle(&message.memory, data) != cudaSuccess) return 23;
  if (cudaEventCreateWithFlags(&event, cudaEventInterprocess) != cudaErrorInvalidValue) return 24;
  if (cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming) != cudaSuccess) return 25;
  if (cudaIpcGetEventHandle(&message.event, event) != cudaSuccess) return 26;
  if (launch(addOne, 8, 128, nullptr, data, count) != cudaSuccess) return 27;
  if (cudaEventRecord(event, nullptr) != cudaSuccess) return 28;
  void *own = nullptr;
  if (cudaIpcOpenMemHandle(&own, message.memory, cudaIpcMemLazyEnablePeerAccess) == cudaSuccess) return 29;
  if (write(toChild, &message, sizeof(message)) != sizeof(message)) return 30;
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) return WEXITSTATUS(status);
  if (cudaEventSynchronize(event) != cudaSuccess || cudaEventQuery(event) != cudaSuccess) return 31;
  int values[count];
  if (cudaMemcpy(values, data, sizeof(values), cudaMemcpyDeviceToHost) != cudaSuccess) return 32;
  for (int value : values) {
    if (value != 2) return 33;
  }
  return cudaFree(data) == cudaSuccess ? 0 : 34;
}

int twoProcesses() {
  int ends[2];
  if (pipe(ends) != 0) return 41;
  const pid_t child = fork();
  if (child != 0) return produce(ends[1], child);
  Message message;
  const bool received = read(ends[0], &message, sizeof(message)) == sizeof(message);
  _exit(received ? consume(message) : 42);
}

using IpcDeathTest = testing::Test;

TEST(IpcDeathTest, MemoryAndEventsOfTwoProcesses) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(_exit(twoProcesses()), testing::ExitedWithCode(0), "");
}

TEST(IpcDeathTest, InventedHandlesAreErrors) {
  cudaIpcMemHandle_t memory;
  std::memset(&memory, 7, sizeof(memory));
  void *pointer = nullptr;
  EXPECT_EQ(cudaIpcOpenMemHandle(&pointer, memory, cudaIpcMemLazyEnablePeerAccess), cudaErrorInvalidValue);
  cudaIpcEventHandle_t handle;
  std::memset(&handle, 7, sizeof(handle));
  cudaEvent_t event = nullptr;
  EXPECT_EQ(cudaIpcOpenEventHandle(&event, handle), cudaErrorInvalidValue);
  EXPECT_EQ(cudaIpcGetMemHandle(&memory, &memory), cudaErrorInvalidValue);
  (void)cudaGetLastError();
}

class ExternalMemoryTest : public RuntimeTest {
 protected:
  static cudaError_t import(cudaExternalMemory_t *memory, int file, unsigned long long bytes) {
    cudaExternalMemoryHandleDesc description{};
    description.type = cudaExternalMemoryHandleTypeOpaqueFd;
    description.handle.fd = file;
    description.size = bytes;
    return cudaImportExternalMemory(memory, &description);
  }
};

TEST_F(ExternalMemoryTest, KernelsSeeTheFile) {
  constexpr size_t bytes = 1 << 16;
  const int file = memfd_create("test", 0);
  ASSERT_GE(file, 0);
  ASSERT_EQ(ftruncate(file, bytes), 0);
  const int other = dup(file);  // an import takes the descriptor
  cudaExternalMemory_t memory = nullptr;
  ASSERT_EQ(import(&memory, file, bytes), cudaSuccess);
  cudaExternalMemoryBufferDesc buffer{};
  buffer.offset = 4100;
  buffer.size = 400;
  int *data = nullptr;
  ASSERT_EQ(cudaExternalMemoryGetMappedBuffer(reinterpret_cast<void **>(&data), memory, &buffer), cudaSuccess);
  EXPECT_EQ(cudaDestroyExternalMemory(memory), cudaSuccess);
  EXPECT_EQ(launch(addOne, 1, 100, nullptr, data, 100), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  int seen[100] = {};
  ASSERT_EQ(pread(other, seen, sizeof(seen), 4100), static_cast<ssize_t>(sizeof(seen)));
  for (int value : seen) EXPECT_EQ(value, 1);
  EXPECT_EQ(cudaFree(data), cudaSuccess);
  close(other);
}

TEST_F(ExternalMemoryTest, RefusesWhatIsNoMemory) {
  cudaExternalMemory_t memory = nullptr;
  EXPECT_EQ(import(&memory, -1, 4096), cudaErrorInvalidValue);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_EQ(import(&memory, ends[0], 4096), cudaErrorNotSupported);
  close(ends[0]);
  close(ends[1]);
  EXPECT_EQ(cudaDestroyExternalMemory(memory), cudaErrorInvalidResourceHandle);
  (void)cudaGetLastError();
}

class ExternalSemaphoreTest : public RuntimeTest {
 protected:
  static cudaError_t import(cudaExternalSemaphore_t *semaphore, cudaExternalSemaphoreHandleType type, int file) {
    cudaExternalSemaphoreHandleDesc description{};
    description.type = type;
    description.handle.fd = file;
    return cudaImportExternalSemaphore(semaphore, &description);
  }
  static cudaExternalSemaphoreSignalParams signalling(unsigned long long value) {
    cudaExternalSemaphoreSignalParams params{};
    params.params.fence.value = value;
    return params;
  }
  static cudaExternalSemaphoreWaitParams waiting(unsigned long long value) {
    cudaExternalSemaphoreWaitParams params{};
    params.params.fence.value = value;
    return params;
  }
  // timeline() makes a timeline of a file in memory; `word` is its value.
  static cudaExternalSemaphore_t timeline(std::atomic<uint64_t> *&word) {
    const int file = memfd_create("test", 0);
    EXPECT_EQ(ftruncate(file, sizeof(*word)), 0);
    word =
        static_cast<std::atomic<uint64_t> *>(mmap(nullptr, sizeof(*word), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    cudaExternalSemaphore_t semaphore = nullptr;
    EXPECT_EQ(import(&semaphore, cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd, file), cudaSuccess);
    EXPECT_EQ(fcntl(file, F_GETFD), -1) << "an import takes the descriptor";
    return semaphore;
  }
};

TEST_F(ExternalSemaphoreTest, StreamsWaitForATimeline) {
  std::atomic<uint64_t> *word = nullptr;
  cudaExternalSemaphore_t semaphore = timeline(word);
  int *data = deviceInts(4, 0);
  const auto wait = waiting(3);
  const auto signal = signalling(5);
  ASSERT_EQ(cudaWaitExternalSemaphoresAsync(&semaphore, &wait, 1, nullptr), cudaSuccess);
  EXPECT_EQ(launch(addOne, 1, 4, nullptr, data, 4), cudaSuccess);
  ASSERT_EQ(cudaSignalExternalSemaphoresAsync(&semaphore, &signal, 1, nullptr), cudaSuccess);
  EXPECT_EQ(cudaDestroyExternalSemaphore(semaphore), cudaSuccess);
  word->store(2);
  EXPECT_EQ(cudaStreamQuery(nullptr), cudaErrorNotReady);
  word->store(3);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(word->load(), 5u);
  EXPECT_EQ(cudaFree(data), cudaSuccess);
  munmap(word, sizeof(*word));
}

TEST_F(ExternalSemaphoreTest, AnEventFileIsBinary) {
  const int file = eventfd(0, 0), other = dup(file);
  cudaExternalSemaphore_t semaphore = nullptr;
  cudaStream_t waits = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&waits, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(import(&semaphore, cudaExternalSemaphoreHandleTypeOpaqueFd, file), cudaSuccess);
  const auto wait = waiting(0);
  const auto signal = signalling(0);
  for (int round = 0; round < 3; ++round) {
    ASSERT_EQ(cudaWaitExternalSemaphoresAsync(&semaphore, &wait, 1, waits), cudaSuccess);
    EXPECT_EQ(cudaStreamQuery(waits), cudaErrorNotReady);
    ASSERT_EQ(cudaSignalExternalSemaphoresAsync(&semaphore, &signal, 1, nullptr), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(waits), cudaSuccess);
  }
  pollfd left{other, POLLIN, 0};
  EXPECT_EQ(poll(&left, 1, 0), 0) << "a wait takes the signal away";
  EXPECT_EQ(cudaDestroyExternalSemaphore(semaphore), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(waits), cudaSuccess);
  close(other);
}

TEST_F(ExternalSemaphoreTest, GraphsHaveNodesForThem) {
  std::atomic<uint64_t> *word = nullptr;
  cudaExternalSemaphore_t semaphore = timeline(word);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  cudaGraphNode_t wait = nullptr, signal = nullptr;
  const auto waited = waiting(1);
  auto signalled = signalling(2);
  const cudaExternalSemaphoreWaitNodeParams waits{&semaphore, &waited, 1};
  cudaExternalSemaphoreSignalNodeParams signals{&semaphore, &signalled, 1}, given{};
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphAddExternalSemaphoresWaitNode(&wait, graph, nullptr, 0, &waits), cudaSuccess);
  ASSERT_EQ(cudaGraphAddExternalSemaphoresSignalNode(&signal, graph, &wait, 1, &signals), cudaSuccess);
  EXPECT_EQ(cudaGraphExternalSemaphoresSignalNodeGetParams(signal, &given), cudaSuccess);
  EXPECT_EQ(given.numExtSems, 1u);
  EXPECT_EQ(given.extSemArray[0], semaphore);
  EXPECT_EQ(given.paramsArray[0].params.fence.value, 2u);
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
  signalled = signalling(9);
  EXPECT_EQ(cudaGraphExecExternalSemaphoresSignalNodeSetParams(executable, signal, &signals), cudaSuccess);
  cudaExternalSemaphore_t two[] = {semaphore, semaphore};
  const cudaExternalSemaphoreSignalParams values[] = {signalled, signalled};
  const cudaExternalSemaphoreSignalNodeParams more{two, values, 2};
  EXPECT_EQ(cudaGraphExecExternalSemaphoresSignalNodeSetParams(executable, signal, &more), cudaErrorInvalidValue);
  ASSERT_EQ(cudaGraphLaunch(executable, nullptr), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(nullptr), cudaErrorNotReady);
  word->store(1);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(word->load(), 9u);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(cudaDestroyExternalSemaphore(semaphore), cudaSuccess);
  munmap(word, sizeof(*word));
  (void)cudaGetLastError();
}

TEST_F(ExternalSemaphoreTest, CapturesRecordThem) {
  std::atomic<uint64_t> *word = nullptr;
  cudaExternalSemaphore_t semaphore = timeline(word);
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr;
  size_t count = 1;
  cudaGraphNodeType type{};
  const auto signal = signalling(4);
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), cudaSuccess);
  EXPECT_EQ(cudaSignalExternalSemaphoresAsync(&semaphore, &signal, 1, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphGetNodes(graph, &node, &count), cudaSuccess);
  EXPECT_EQ(cudaGraphNodeGetType(node, &type), cudaSuccess);
  EXPECT_EQ(type, cudaGraphNodeTypeExtSemaphoreSignal);
  EXPECT_EQ(word->load(), 0u);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaDestroyExternalSemaphore(semaphore), cudaSuccess);
  munmap(word, sizeof(*word));
}

TEST_F(ExternalSemaphoreTest, RefusesWhatItDoesNotUnderstand) {
  cudaExternalSemaphore_t semaphore = nullptr;
  const auto binary = cudaExternalSemaphoreHandleTypeOpaqueFd,
             number = cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd;
  EXPECT_EQ(import(&semaphore, binary, -1), cudaErrorInvalidValue);
  EXPECT_EQ(import(&semaphore, cudaExternalSemaphoreHandleTypeNvSciSync, 0), cudaErrorNotSupported);
  EXPECT_EQ(import(&semaphore, static_cast<cudaExternalSemaphoreHandleType>(77), 0), cudaErrorInvalidValue);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_EQ(import(&semaphore, binary, ends[0]), cudaErrorNotSupported);
  EXPECT_EQ(fcntl(ends[0], F_GETFD), 0) << "the descriptor stays the program's";
  const int event = eventfd(0, 0);
  EXPECT_EQ(import(&semaphore, number, event), cudaErrorNotSupported);
  for (int each : {ends[0], ends[1], event}) close(each);
  const auto signal = signalling(1);
  EXPECT_EQ(cudaSignalExternalSemaphoresAsync(&semaphore, &signal, 1, nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaDestroyExternalSemaphore(semaphore), cudaErrorInvalidResourceHandle);
  (void)cudaGetLastError();
}

}  // namespace
}  // namespace hostwarp::tests
