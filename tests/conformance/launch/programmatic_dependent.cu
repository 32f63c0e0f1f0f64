// Programmatic dependent launch: the secondary kernel may begin before the primary's end, and behind
// cudaGridDependencySynchronize() sees all that the primary wrote. In streams, in captured graphs and by edges.
#include "../check.h"

constexpr int blocks = 24, threads = 96, count = blocks * threads;

struct Shared {
  int values[count], waste[count];
  int primaryDone;  // blocks of the primary that have written everything
  int overlapped;   // blocks of the secondary that began before
  int wrong;        // threads of the secondary that missed something
};

__device__ int slowly(int value) {
  for (int i = 0; i < 2000; ++i) value = value * 1664525 + 1013904223;
  return value;
}

__global__ void primary(Shared *shared, bool trigger, int round) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (trigger) cudaTriggerProgrammaticLaunchCompletion();
  shared->waste[i] = slowly(i);
  shared->values[i] = round;
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&shared->primaryDone, 1);
}

__global__ void secondary(Shared *shared, int round) {
  if (threadIdx.x == 0 && atomicAdd(&shared->primaryDone, 0) < blocks * round) atomicAdd(&shared->overlapped, 1);
  cudaGridDependencySynchronize();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int other = count - 1 - i;
  if (shared->values[other] != round || atomicAdd(&shared->primaryDone, 0) != blocks * round)
    atomicAdd(&shared->wrong, 1);
}

// A secondary that does not wait is over only when the primary is.
__global__ void careless(Shared *) {}
__global__ void after(Shared *shared, int round) {
  if (atomicAdd(&shared->primaryDone, 0) != blocks * round) atomicAdd(&shared->wrong, 1);
}

template <class... Parameters, class... Arguments>
static void launchOverlapping(cudaStream_t stream, void (*kernel)(Parameters...), Arguments... arguments) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = blocks;
  config.blockDim = threads;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  CUDA_OK(cudaLaunchKernelEx(&config, kernel, arguments...));
}

static void inStream(Shared *shared, cudaStream_t stream, bool trigger) {
  CUDA_OK(cudaMemsetAsync(shared, 0, sizeof *shared, stream));
  for (int round = 1; round <= 3; ++round) {
    primary<<<blocks, threads, 0, stream>>>(shared, trigger, round);
    launchOverlapping(stream, secondary, shared, round);
    launchOverlapping(stream, careless, shared);
    after<<<1, 1, 0, stream>>>(shared, round);
  }
  CUDA_OK(cudaStreamSynchronize(stream));
  Shared result;
  CUDA_OK(cudaMemcpy(&result, shared, sizeof result, cudaMemcpyDeviceToHost));
  CHECK_EQ(result.wrong, 0);
  CHECK(result.overlapped >= 0 && result.overlapped <= 3 * blocks);
}

static void launchGraph(Shared *shared, cudaGraph_t graph, cudaStream_t stream) {
  CUDA_OK(cudaMemsetAsync(shared, 0, sizeof *shared, stream));
  cudaGraphExec_t executable;
  CUDA_OK(cudaGraphInstantiate(&executable, graph, 0));
  CUDA_OK(cudaGraphLaunch(executable, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  Shared result;
  CUDA_OK(cudaMemcpy(&result, shared, sizeof result, cudaMemcpyDeviceToHost));
  CHECK_EQ(result.wrong, 0);
  CHECK_EQ(result.primaryDone, blocks);
  CUDA_OK(cudaGraphExecDestroy(executable));
}

static void captured(Shared *shared, cudaStream_t stream) {
  cudaGraph_t graph;
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  primary<<<blocks, threads, 0, stream>>>(shared, true, 1);
  launchOverlapping(stream, secondary, shared, 1);
  after<<<1, 1, 0, stream>>>(shared, 1);
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  cudaGraphNode_t from[2], to[2];
  cudaGraphEdgeData data[2];
  size_t edges = 2;
  CUDA_OK(cudaGraphGetEdges(graph, from, to, data, &edges));
  CHECK_EQ(edges, 2u);
  int programmatic = 0;
  for (const cudaGraphEdgeData &edge : data)
    programmatic +=
        edge.type == cudaGraphDependencyTypeProgrammatic && edge.from_port == cudaGraphKernelNodePortProgrammatic;
  CHECK_EQ(programmatic, 1);
  launchGraph(shared, graph, stream);
  CUDA_OK(cudaGraphDestroy(graph));
}

// A captured event that the primary triggers is an edge of the graph by which its waiters begin early.
static void capturedEvent(Shared *shared, cudaStream_t stream, int atBlockStart) {
  cudaStream_t other;
  cudaEvent_t triggered, done;
  CUDA_OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  CUDA_OK(cudaEventCreateWithFlags(&triggered, cudaEventDisableTiming));
  CUDA_OK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticEvent;
  attribute.val.programmaticEvent.event = triggered;
  attribute.val.programmaticEvent.triggerAtBlockStart = atBlockStart;
  cudaLaunchConfig_t config{};
  config.gridDim = blocks;
  config.blockDim = threads;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  cudaGraph_t graph;
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CUDA_OK(cudaLaunchKernelEx(&config, primary, shared, true, 1));
  CUDA_OK(cudaStreamWaitEvent(other, triggered));
  secondary<<<blocks, threads, 0, other>>>(shared, 1);
  CUDA_OK(cudaEventRecord(done, other));
  CUDA_OK(cudaStreamWaitEvent(stream, done));
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  cudaGraphNode_t from, to;
  cudaGraphEdgeData data;
  size_t edges = 1;
  CUDA_OK(cudaGraphGetEdges(graph, &from, &to, &data, &edges));
  CHECK_EQ(edges, 1u);
  CHECK_EQ(data.type, cudaGraphDependencyTypeProgrammatic);
  CHECK_EQ(data.from_port,
           atBlockStart ? cudaGraphKernelNodePortLaunchCompletion : cudaGraphKernelNodePortProgrammatic);
  launchGraph(shared, graph, stream);
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaEventDestroy(triggered));
  CUDA_OK(cudaEventDestroy(done));
  CUDA_OK(cudaStreamDestroy(other));
}

static cudaGraphNodeParams nodeOf(void *kernel, void **arguments) {
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeKernel;
  params.kernel.func = kernel;
  params.kernel.gridDim = blocks;
  params.kernel.blockDim = threads;
  params.kernel.kernelParams = arguments;
  return params;
}

static void byEdges(Shared *shared, cudaStream_t stream) {
  cudaGraph_t graph;
  CUDA_OK(cudaGraphCreate(&graph, 0));
  bool trigger = true;
  int round = 1;
  void *first[] = {&shared, &trigger, &round}, *second[] = {&shared, &round};
  cudaGraphNodeParams firstParams = nodeOf((void *)primary, first), secondParams = nodeOf((void *)secondary, second);
  cudaGraphNode_t a, b, c;
  CUDA_OK(cudaGraphAddNode(&a, graph, nullptr, nullptr, 0, &firstParams));
  cudaGraphEdgeData edge{};
  edge.from_port = cudaGraphKernelNodePortProgrammatic;
  edge.type = cudaGraphDependencyTypeProgrammatic;
  CUDA_OK(cudaGraphAddNode(&b, graph, &a, &edge, 1, &secondParams));
  CUDA_OK(cudaGraphAddNode(&c, graph, &b, nullptr, 1, &secondParams));
  launchGraph(shared, graph, stream);
  // Without data the edge of any kind is meant.
  CUDA_OK(cudaGraphRemoveDependencies(graph, &a, &b, nullptr, 1));
  CHECK_EQ(cudaGraphRemoveDependencies(graph, &a, &b, &edge, 1), cudaErrorInvalidValue);
  (void)cudaGetLastError();
  CUDA_OK(cudaGraphDestroy(graph));
}

// Events that a kernel triggers have no timing.
static void wrongEvents(Shared *shared, cudaStream_t stream) {
  cudaEvent_t timed;
  CUDA_OK(cudaEventCreate(&timed));
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticEvent;
  cudaLaunchConfig_t config{};
  config.gridDim = config.blockDim = 1;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  const auto launch = [&](cudaEvent_t event, int flags) {
    attribute.val.programmaticEvent = {event, flags, 0};
    const cudaError_t error = cudaLaunchKernelEx(&config, secondary, shared, 1);
    (void)cudaGetLastError();
    return error;
  };
  CHECK_EQ(launch(timed, 0), cudaErrorNotSupported);
  CHECK_EQ(launch(nullptr, 0), cudaErrorInvalidResourceHandle);
  CUDA_OK(cudaEventDestroy(timed));
  CUDA_OK(cudaEventCreateWithFlags(&timed, cudaEventDisableTiming));
  CHECK_EQ(launch(timed, 77), cudaErrorInvalidValue);
  CUDA_OK(cudaEventDestroy(timed));
}

int main() {
  Shared *shared;
  cudaStream_t stream;
  CUDA_OK(cudaMalloc(&shared, sizeof *shared));
  CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  inStream(shared, stream, true);
  inStream(shared, stream, false);
  captured(shared, stream);
  capturedEvent(shared, stream, 0);
  capturedEvent(shared, stream, 1);
  byEdges(shared, stream);
  wrongEvents(shared, stream);
  CUDA_OK(cudaStreamDestroy(stream));
  CUDA_OK(cudaFree(shared));
  return check::finish();
}
