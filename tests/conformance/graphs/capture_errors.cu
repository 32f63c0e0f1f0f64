// What a capture forbids, which error says so, and that the capture is invalid afterwards.
#include <thread>

#include "../check.h"

__global__ void nothing() {}

struct Fixture {
  cudaStream_t stream, other;  // blocking, and not
  cudaEvent_t inside, outside;
  int *memory;
} f;

struct Outcome {
  cudaError_t call;
  cudaStreamCaptureStatus status;
  cudaError_t end;
  bool graph;
};

// during() makes the call while f.stream captures.
template <class Call>
Outcome during(cudaStreamCaptureMode mode, Call call) {
  Outcome outcome = {};
  cudaGraph_t graph = nullptr;
  CUDA_OK(cudaStreamBeginCapture(f.stream, mode));
  nothing<<<1, 1, 0, f.stream>>>();
  CUDA_OK(cudaEventRecord(f.inside, f.stream));
  outcome.call = call();
  CUDA_OK(cudaStreamIsCapturing(f.stream, &outcome.status));
  outcome.end = cudaStreamEndCapture(f.stream, &graph);
  outcome.graph = graph != nullptr;
  if (graph) CUDA_OK(cudaGraphDestroy(graph));
  (void)cudaGetLastError();
  return outcome;
}

#define INVALIDATES(mode, error, ...)                             \
  do {                                                            \
    Outcome outcome = during(mode, [&] { return __VA_ARGS__; });  \
    CHECK_EQ(outcome.call, error);                                \
    CHECK_EQ(outcome.status, cudaStreamCaptureStatusInvalidated); \
    CHECK_EQ(outcome.end, cudaErrorStreamCaptureInvalidated);     \
    CHECK(!outcome.graph);                                        \
  } while (0)
#define LEAVES_VALID(mode, error, ...)                           \
  do {                                                           \
    Outcome outcome = during(mode, [&] { return __VA_ARGS__; }); \
    CHECK_EQ(outcome.call, error);                               \
    CHECK_EQ(outcome.status, cudaStreamCaptureStatusActive);     \
    CHECK_EQ(outcome.end, cudaSuccess);                          \
    CHECK(outcome.graph);                                        \
  } while (0)

constexpr auto global = cudaStreamCaptureModeGlobal;
constexpr auto threadLocal = cudaStreamCaptureModeThreadLocal;
constexpr auto relaxed = cudaStreamCaptureModeRelaxed;

cudaError_t allocate() {
  void *memory = nullptr;
  cudaError_t error = cudaMalloc(&memory, 64);
  if (error == cudaSuccess) cudaFree(memory);
  return error;
}

cudaError_t onAnotherThread(cudaError_t (*call)()) {
  cudaError_t error;
  std::thread([&] { error = call(); }).join();
  return error;
}

cudaError_t launchInLegacyStream() {
  nothing<<<1, 1>>>();
  return cudaGetLastError();
}

// Calls that could disturb a capture are forbidden in the global mode, and allowed in the relaxed one.
void unsafeCalls() {
  INVALIDATES(global, cudaErrorStreamCaptureUnsupported, allocate());
  INVALIDATES(global, cudaErrorStreamCaptureUnsupported, cudaFree(nullptr));
  INVALIDATES(global, cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(f.other));
  INVALIDATES(global, cudaErrorStreamCaptureUnsupported, cudaStreamQuery(f.other));
  INVALIDATES(global, cudaErrorStreamCaptureUnsupported, cudaEventQuery(f.outside));
  INVALIDATES(global, cudaErrorStreamCaptureUnsupported, cudaEventSynchronize(f.outside));
  INVALIDATES(global, cudaErrorStreamCaptureUnsupported, onAnotherThread(allocate));
  INVALIDATES(threadLocal, cudaErrorStreamCaptureUnsupported, allocate());
  LEAVES_VALID(threadLocal, cudaSuccess, onAnotherThread(allocate));
  LEAVES_VALID(relaxed, cudaSuccess, cudaStreamSynchronize(f.other));
  LEAVES_VALID(relaxed, cudaSuccess, cudaStreamQuery(f.other));
  LEAVES_VALID(relaxed, cudaSuccess, cudaEventQuery(f.outside));
  LEAVES_VALID(relaxed, cudaSuccess, cudaEventSynchronize(f.outside));
  cudaStreamCaptureMode mode = relaxed;
  CUDA_OK(cudaThreadExchangeStreamCaptureMode(&mode));
  CHECK_EQ(mode, global);
  LEAVES_VALID(global, cudaSuccess, cudaStreamQuery(f.other));
  CUDA_OK(cudaThreadExchangeStreamCaptureMode(&mode));
}

// Memory in the order of a stream that is not captured, and what is said of managed memory.
void memoryElsewhere() {
  void *memory = nullptr, *managed = nullptr, *more = nullptr;
  CUDA_OK(cudaMallocAsync(&memory, 64, f.other));
  CUDA_OK(cudaMallocManaged(&managed, 4096));
  CUDA_OK(cudaDeviceSynchronize());
  const auto advise = [&] {
    return cudaMemAdvise(managed, 4096, cudaMemAdviseSetReadMostly, cudaMemLocation{cudaMemLocationTypeDevice, 0});
  };
  const auto attach = [&](cudaStream_t stream) {
    return cudaStreamAttachMemAsync(stream, managed, 0, cudaMemAttachGlobal);
  };
  for (auto mode : {global, threadLocal}) {
    INVALIDATES(mode, cudaErrorStreamCaptureUnsupported, cudaMallocAsync(&more, 64, f.other));
    INVALIDATES(mode, cudaErrorStreamCaptureUnsupported, cudaMallocAsync(&more, 0, f.other));
    INVALIDATES(mode, cudaErrorStreamCaptureUnsupported, cudaFreeAsync(memory, f.other));
    INVALIDATES(mode, cudaErrorStreamCaptureUnsupported, advise());
    INVALIDATES(mode, cudaErrorStreamCaptureUnsupported, attach(f.other));
  }
  for (auto mode : {global, threadLocal, relaxed}) {
    INVALIDATES(mode, cudaErrorStreamCaptureUnsupported, attach(f.stream));
    INVALIDATES(mode, cudaErrorStreamCaptureUnsupported, cudaMemcpyPeerAsync(f.memory, 0, memory, 0, 64, f.stream));
  }
  LEAVES_VALID(relaxed, cudaSuccess, advise());
  LEAVES_VALID(relaxed, cudaSuccess, attach(f.other));
  LEAVES_VALID(relaxed, cudaSuccess, cudaFreeAsync(memory, f.other));
  CUDA_OK(cudaFree(managed));
}

cudaError_t timeOf(cudaEvent_t event) {
  float ms = 0;
  return cudaEventElapsedTime(&ms, event, event);
}

// Calls that contradict the capture itself are forbidden in every mode.
void contradictions() {
  for (auto mode : {global, relaxed}) {
    INVALIDATES(mode, cudaErrorStreamCaptureUnsupported, cudaDeviceSynchronize());
    INVALIDATES(mode, cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(f.stream));
    INVALIDATES(mode, cudaErrorStreamCaptureUnsupported, cudaStreamQuery(f.stream));
    INVALIDATES(mode, cudaErrorCapturedEvent, cudaEventQuery(f.inside));
    INVALIDATES(mode, cudaErrorCapturedEvent, cudaEventSynchronize(f.inside));
    INVALIDATES(mode, cudaErrorInvalidValue, [] { return cudaEventQuery(f.inside), cudaEventSynchronize(f.inside); }());
    LEAVES_VALID(mode, cudaErrorCapturedEvent, timeOf(f.inside));
    CHECK_EQ(timeOf(f.inside), cudaErrorInvalidValue);
    INVALIDATES(mode, cudaErrorStreamCaptureImplicit, cudaMemset(f.memory, 0, 4));
    INVALIDATES(mode, cudaErrorStreamCaptureImplicit, launchInLegacyStream());
    INVALIDATES(mode, cudaErrorStreamCaptureImplicit, cudaStreamBeginCapture(nullptr, mode));
    INVALIDATES(mode, cudaErrorStreamCaptureImplicit, [] {
      cudaGraph_t graph;
      return cudaStreamEndCapture(nullptr, &graph);
    }());
    INVALIDATES(mode, cudaErrorStreamCaptureImplicit, cudaEventRecord(f.outside, nullptr));
    INVALIDATES(mode, cudaErrorStreamCaptureIsolation, cudaStreamWaitEvent(f.stream, f.outside, 0));
  }
  auto callback = [](cudaStream_t, cudaError_t, void *) {};
  INVALIDATES(global, cudaErrorStreamCaptureUnsupported, cudaStreamAddCallback(f.stream, callback, nullptr, 0));
  LEAVES_VALID(global, cudaErrorIllegalState, cudaStreamBeginCapture(f.stream, global));
  LEAVES_VALID(global, cudaSuccess, cudaStreamWaitEvent(f.other, f.inside, 0));  // without work: nothing to join
}

void ends() {
  cudaGraph_t graph;
  CHECK_EQ(cudaStreamEndCapture(f.stream, &graph), cudaErrorIllegalState);
  LEAVES_VALID(global, cudaErrorIllegalState, cudaStreamEndCapture(f.other, &graph));
  INVALIDATES(global, cudaErrorStreamCaptureUnmatched, [&] {
    CUDA_OK(cudaStreamWaitEvent(f.other, f.inside, 0));
    return cudaStreamEndCapture(f.other, &graph);
  }());
  INVALIDATES(global, cudaErrorStreamCaptureMerge, [&] {
    CUDA_OK(cudaStreamBeginCapture(f.other, global));
    const cudaError_t error = cudaStreamWaitEvent(f.other, f.inside, 0);
    CHECK_EQ(cudaStreamEndCapture(f.other, &graph), cudaErrorStreamCaptureInvalidated);
    return error;
  }());
  Outcome unjoined = during(global, [] {
    CUDA_OK(cudaStreamWaitEvent(f.other, f.inside, 0));
    nothing<<<1, 1, 0, f.other>>>();
    return cudaGetLastError();
  });
  CHECK_EQ(unjoined.end, cudaErrorStreamCaptureUnjoined);
  Outcome thread = during(global, [] {
    return onAnotherThread([] {
      cudaGraph_t captured;
      return cudaStreamEndCapture(f.stream, &captured);
    });
  });
  CHECK_EQ(thread.call, cudaErrorStreamCaptureWrongThread);
  CHECK_EQ(thread.status, cudaStreamCaptureStatusNone);
  CHECK_EQ(thread.end, cudaErrorIllegalState);
}

int main() {
  CUDA_OK(cudaStreamCreate(&f.stream));
  CUDA_OK(cudaStreamCreateWithFlags(&f.other, cudaStreamNonBlocking));
  CUDA_OK(cudaEventCreate(&f.inside));
  CUDA_OK(cudaEventCreate(&f.outside));
  CUDA_OK(cudaMalloc(&f.memory, 64));
  CUDA_OK(cudaEventRecord(f.outside, f.other));
  CUDA_OK(cudaDeviceSynchronize());
  unsafeCalls();
  memoryElsewhere();
  contradictions();
  ends();
  // Streams work as before when their capture is over.
  nothing<<<1, 1, 0, f.stream>>>();
  nothing<<<1, 1, 0, f.other>>>();
  LAUNCH_OK();
  CUDA_OK(cudaFree(f.memory));
  return check::finish();
}
