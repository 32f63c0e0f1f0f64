// Stream code becomes a graph: one stream, fork and join by events, host functions, launches that find new data.
#include "../check.h"

__global__ void add(int *data, int amount) { data[threadIdx.x] += amount; }
__global__ void combine(int *out, const int *a, const int *b) {
  out[threadIdx.x] = 1000 * a[threadIdx.x] + b[threadIdx.x];
}

constexpr int count = 64;

void CUDART_CB increment(void *counter) { ++*static_cast<int *>(counter); }

struct Program {
  cudaStream_t origin, forked;
  cudaEvent_t fork, join;
  check::DeviceArray<int> a{count, 0}, b{count, 0}, out{count, 0};
  int *host;
  int calls = 0;
  cudaGraph_t graph;
  cudaGraphExec_t executable;

  Program() {
    CUDA_OK(cudaStreamCreate(&origin));
    CUDA_OK(cudaStreamCreate(&forked));
    CUDA_OK(cudaEventCreate(&fork));
    CUDA_OK(cudaEventCreate(&join));
    CUDA_OK(cudaMallocHost(&host, count * sizeof(int)));
  }
  ~Program() {
    CUDA_OK(cudaGraphExecDestroy(executable));
    CUDA_OK(cudaGraphDestroy(graph));
    CUDA_OK(cudaFreeHost(host));
    CUDA_OK(cudaEventDestroy(fork));
    CUDA_OK(cudaEventDestroy(join));
    CUDA_OK(cudaStreamDestroy(origin));
    CUDA_OK(cudaStreamDestroy(forked));
  }
  void record();
  void look();
  void launch();
  void nest();
};

void Program::record() {
  CUDA_OK(cudaStreamBeginCapture(origin, cudaStreamCaptureModeGlobal));
  cudaStreamCaptureStatus status;
  CUDA_OK(cudaStreamIsCapturing(origin, &status));
  CHECK_EQ(status, cudaStreamCaptureStatusActive);
  CUDA_OK(cudaStreamIsCapturing(forked, &status));
  CHECK_EQ(status, cudaStreamCaptureStatusNone);
  add<<<1, count, 0, origin>>>(a.get(), 1);
  CUDA_OK(cudaEventRecord(fork, origin));
  CUDA_OK(cudaStreamWaitEvent(forked, fork, 0));
  CUDA_OK(cudaStreamIsCapturing(forked, &status));
  CHECK_EQ(status, cudaStreamCaptureStatusActive);
  CUDA_OK(cudaMemsetAsync(b.get(), 0, count * sizeof(int), forked));
  add<<<1, count, 0, forked>>>(b.get(), 5);
  CUDA_OK(cudaEventRecord(join, forked));
  add<<<1, count, 0, origin>>>(a.get(), 10);
  CUDA_OK(cudaStreamWaitEvent(origin, join, 0));
  combine<<<1, count, 0, origin>>>(out.get(), a.get(), b.get());
  CUDA_OK(cudaMemcpyAsync(host, out.get(), count * sizeof(int), cudaMemcpyDeviceToHost, origin));
  CUDA_OK(cudaLaunchHostFunc(origin, increment, &calls));
  CUDA_OK(cudaStreamEndCapture(origin, &graph));
  CUDA_OK(cudaStreamIsCapturing(forked, &status));
  CHECK_EQ(status, cudaStreamCaptureStatusNone);
}

void Program::look() {
  size_t nodes = 0, roots = 0;
  CUDA_OK(cudaGraphGetNodes(graph, nullptr, &nodes));
  CUDA_OK(cudaGraphGetRootNodes(graph, nullptr, &roots));
  CHECK_EQ(nodes, 7);
  CHECK_EQ(roots, 1);
  CUDA_OK(cudaDeviceSynchronize());
  CHECK_EQ(a.download()[0], 0);  // nothing has run yet
  CHECK_EQ(calls, 0);
}

void Program::launch() {
  CUDA_OK(cudaGraphInstantiate(&executable, graph, 0));
  for (int round = 1; round <= 4; ++round) {
    CUDA_OK(cudaGraphLaunch(executable, origin));
    CUDA_OK(cudaStreamSynchronize(origin));
    for (int i = 0; i < count; ++i) CHECK_EQ(host[i], 11000 * round + 5);
    CHECK_EQ(calls, round);
  }
}

// A graph cannot be launched into a capture, which is spoilt by it.
void Program::nest() {
  CUDA_OK(cudaStreamBeginCapture(origin, cudaStreamCaptureModeGlobal));
  CHECK_EQ(cudaGraphLaunch(executable, origin), cudaErrorStreamCaptureUnsupported);
  cudaStreamCaptureStatus status;
  CUDA_OK(cudaStreamIsCapturing(origin, &status));
  CHECK_EQ(status, cudaStreamCaptureStatusInvalidated);
  cudaGraph_t outer;
  CHECK_EQ(cudaStreamEndCapture(origin, &outer), cudaErrorStreamCaptureInvalidated);
  (void)cudaGetLastError();
}

// unrecorded(): there is nothing to wait for in an event that was never recorded.
static void unrecorded() {
  cudaStream_t stream;
  cudaEvent_t event;
  cudaGraph_t graph;
  CUDA_OK(cudaStreamCreate(&stream));
  CUDA_OK(cudaEventCreate(&event));
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CUDA_OK(cudaStreamWaitEvent(stream, event, 0));
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  size_t nodes = 9;
  CUDA_OK(cudaGraphGetNodes(graph, nullptr, &nodes));
  CHECK_EQ(nodes, 0);
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaEventDestroy(event));
  CUDA_OK(cudaStreamDestroy(stream));
}

// copies(): a capture of a stream that does not wait for the legacy stream leaves copies by the host alone.
static void copies() {
  cudaStream_t stream;
  cudaGraph_t graph;
  check::DeviceArray<int> data(4, 1);
  CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  data.upload({5, 6, 7, 8});
  CHECK_EQ(data.download()[3], 8);
  CUDA_OK(cudaMemset(data.get(), 0, data.bytes()));
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaStreamDestroy(stream));
}

int main() {
  unrecorded();
  copies();
  {
    Program program;
    program.record();
    program.look();
    program.launch();
    program.nest();
  }
  return check::finish();
}
