// Looking into a capture, changing what comes next, and capturing into a graph that is there already.
#include "../check.h"

__global__ void add(int *data, int amount) { atomicAdd(data, amount); }

struct Info {
  cudaStreamCaptureStatus status;
  unsigned long long id;
  cudaGraph_t graph;
  std::vector<cudaGraphNode_t> next;  // what the next node will depend on
};

Info infoOf(cudaStream_t stream) {
  Info info = {};
  const cudaGraphNode_t *nodes = nullptr;
  size_t count = 0;
  CUDA_OK(cudaStreamGetCaptureInfo(stream, &info.status, &info.id, &info.graph, &nodes, nullptr, &count));
  info.next.assign(nodes, nodes + count);
  return info;
}

// What the program takes out of the dependencies need not be joined any more, whichever stream captured it.
void takenOut(cudaStream_t stream, int *data) {
  cudaStream_t side;
  cudaEvent_t forked, joined;
  CUDA_OK(cudaStreamCreate(&side));
  CUDA_OK(cudaEventCreate(&forked));
  CUDA_OK(cudaEventCreate(&joined));
  for (const bool goesOn : {false, true}) {
    CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    add<<<1, 1, 0, stream>>>(data, 1);
    CUDA_OK(cudaEventRecord(forked, stream));
    CUDA_OK(cudaStreamWaitEvent(side, forked, 0));
    add<<<1, 1, 0, side>>>(data, 1);
    CUDA_OK(cudaEventRecord(joined, side));
    CUDA_OK(cudaStreamWaitEvent(stream, joined, 0));
    CUDA_OK(cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, cudaStreamSetCaptureDependencies));
    if (goesOn) add<<<1, 1, 0, stream>>>(data, 1);
    cudaGraph_t graph = nullptr;
    CUDA_OK(cudaStreamEndCapture(stream, &graph));
    size_t nodes = 0;
    CUDA_OK(cudaGraphGetNodes(graph, nullptr, &nodes));
    CHECK_EQ(nodes, goesOn ? 3 : 2);
    CUDA_OK(cudaGraphDestroy(graph));
  }
  CUDA_OK(cudaEventDestroy(forked));
  CUDA_OK(cudaEventDestroy(joined));
  CUDA_OK(cudaStreamDestroy(side));
}

// Nobody need ask for the graph; the capture ends all the same.
void unwanted(cudaStream_t stream, int *data) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<1, 1, 0, stream>>>(data, 1);
  // What the stream depends on cannot be destroyed in the meantime.
  CHECK_EQ(cudaGraphDestroyNode(infoOf(stream).next.at(0)), cudaErrorIllegalState);
  CHECK_EQ(cudaStreamEndCapture(stream, nullptr), cudaSuccess);
  CUDA_OK(cudaStreamIsCapturing(stream, &status));
  CHECK_EQ(status, cudaStreamCaptureStatusNone);
  CHECK_EQ(cudaStreamEndCapture(stream, nullptr), cudaErrorIllegalState);
  (void)cudaGetLastError();
}

int main() {
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  check::DeviceArray<int> data(1, 0);
  cudaStreamCaptureStatus status;
  CUDA_OK(cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, nullptr, nullptr, nullptr));
  CHECK_EQ(status, cudaStreamCaptureStatusNone);

  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  CHECK_EQ(infoOf(stream).next.size(), 0);
  add<<<1, 1, 0, stream>>>(data.get(), 1);
  Info first = infoOf(stream);
  CHECK_EQ(first.status, cudaStreamCaptureStatusActive);
  CHECK_EQ(first.next.size(), 1);
  // A node that the program makes takes part when the capture is told so.
  cudaGraphNode_t own;
  CUDA_OK(cudaGraphAddEmptyNode(&own, first.graph, first.next.data(), 1));
  CUDA_OK(cudaStreamUpdateCaptureDependencies(stream, &own, nullptr, 1, cudaStreamSetCaptureDependencies));
  CHECK(infoOf(stream).next == std::vector<cudaGraphNode_t>{own});
  CUDA_OK(cudaStreamUpdateCaptureDependencies(stream, &first.next[0], nullptr, 1, cudaStreamAddCaptureDependencies));
  CHECK_EQ(infoOf(stream).next.size(), 2);
  add<<<1, 1, 0, stream>>>(data.get(), 10);
  cudaGraphNode_t second = infoOf(stream).next.at(0);
  size_t dependencies = 0;
  CUDA_OK(cudaGraphNodeGetDependencies(second, nullptr, nullptr, &dependencies));
  CHECK_EQ(dependencies, 2);
  CHECK_EQ(infoOf(stream).id, first.id);
  cudaGraph_t graph;
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  CHECK(graph == first.graph);

  // More work behind the second kernel, into the same graph.
  CUDA_OK(cudaStreamBeginCaptureToGraph(stream, graph, &second, nullptr, 1, cudaStreamCaptureModeGlobal));
  add<<<1, 1, 0, stream>>>(data.get(), 100);
  cudaGraph_t same;
  CUDA_OK(cudaStreamEndCapture(stream, &same));
  CHECK(same == graph);
  size_t nodes = 0;
  CUDA_OK(cudaGraphGetNodes(graph, nullptr, &nodes));
  CHECK_EQ(nodes, 4);

  cudaGraphExec_t executable;
  CUDA_OK(cudaGraphInstantiate(&executable, graph, 0));
  CUDA_OK(cudaGraphLaunch(executable, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  CHECK_EQ(data.download()[0], 111);
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaGraphDestroy(graph));
  takenOut(stream, data.get());
  unwanted(stream, data.get());
  CUDA_OK(cudaStreamDestroy(stream));
  return check::finish();
}
