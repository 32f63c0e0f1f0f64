// options: -rdc=true -lcudadevrt
// Graphs that kernels launch: fire and forget, tail launches and their order, siblings, a graph that launches itself.
#include "../check.h"

// What the graphs do, in the order in which they do it.
struct Record {
  int count;
  int marks[512];
};

__device__ void note(Record *record, int mark) {
  const int at = atomicAdd(&record->count, 1);
  if (at < 512) record->marks[at] = mark;
}

__global__ void mark(Record *record, int value) { note(record, value); }

__global__ void launchBoth(Record *record, cudaGraphExec_t first, cudaGraphExec_t second, cudaStream_t stream) {
  note(record, 1);
  if (cudaGraphLaunch(first, stream) != cudaSuccess) note(record, -1);
  if (second && cudaGraphLaunch(second, stream) != cudaSuccess) note(record, -2);
  note(record, 2);
}

// Runs the graph that it is in again and again.
__global__ void again(Record *record, int times) {
  note(record, record->count);
  if (record->count < times && cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch) != cudaSuccess)
    note(record, -1);
}

__global__ void twice(Record *record, cudaGraphExec_t graph) {
  note(record, cudaGraphLaunch(graph, cudaStreamGraphTailLaunch));
  note(record, cudaGraphLaunch(graph, cudaStreamGraphTailLaunch));
  note(record, cudaGetCurrentGraphExec() == nullptr);
}

template <class... Parameters>
static cudaGraphExec_t graphOf(unsigned long long flags, void (*kernel)(Parameters...), Parameters... parameters) {
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaGraphExec_t executable = nullptr;
  void *arguments[] = {&parameters...};
  cudaKernelNodeParams params = {};
  params.func = reinterpret_cast<void *>(kernel);
  params.gridDim = dim3(1);
  params.blockDim = dim3(1);
  params.kernelParams = arguments;
  CUDA_OK(cudaGraphCreate(&graph, 0));
  CUDA_OK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  CUDA_OK(cudaGraphInstantiate(&executable, graph, flags));
  CUDA_OK(cudaGraphDestroy(graph));
  if (flags & cudaGraphInstantiateFlagDeviceLaunch) CUDA_OK(cudaGraphUpload(executable, nullptr));
  CUDA_OK(cudaDeviceSynchronize());
  return executable;
}

constexpr unsigned long long forKernels = cudaGraphInstantiateFlagDeviceLaunch;

static void run(cudaGraphExec_t graph, Record *record) {
  record->count = 0;
  CUDA_OK(cudaGraphLaunch(graph, nullptr));
  CUDA_OK(cudaDeviceSynchronize());
}

static int positionOf(const Record &record, int value) {
  for (int i = 0; i < record.count; ++i)
    if (record.marks[i] == value) return i;
  return -1;
}

int main() {
  Record *record = nullptr;
  CUDA_OK(cudaMallocManaged(&record, sizeof *record));
  cudaGraphExec_t ten = graphOf(forKernels, mark, record, 10);
  cudaGraphExec_t twenty = graphOf(forKernels, mark, record, 20);

  // Launches are complete with everything that they have launched.
  cudaGraphExec_t fires = graphOf(0, launchBoth, record, ten, twenty, cudaStreamGraphFireAndForget);
  run(fires, record);
  CHECK_EQ(record->count, 4);
  CHECK(positionOf(*record, 10) >= 1 && positionOf(*record, 20) >= 1);

  // Tail launches come afterwards, in their order.
  cudaGraphExec_t tails = graphOf(0, launchBoth, record, twenty, ten, cudaStreamGraphTailLaunch);
  run(tails, record);
  const int ordered[] = {1, 2, 20, 10};
  CHECK_EQ(record->count, 4);
  for (int i = 0; i < 4; ++i) CHECK_EQ(record->marks[i], ordered[i]);

  // What a tail graph launches comes before the rest of the list.
  cudaGraphExec_t inner =
      graphOf(forKernels, launchBoth, record, ten, static_cast<cudaGraphExec_t>(nullptr), cudaStreamGraphTailLaunch);
  cudaGraphExec_t outer = graphOf(0, launchBoth, record, inner, twenty, cudaStreamGraphTailLaunch);
  run(outer, record);
  const int nested[] = {1, 2, 1, 2, 10, 20};
  CHECK_EQ(record->count, 6);
  for (int i = 0; i < 6; ++i) CHECK_EQ(record->marks[i], nested[i]);

  cudaGraphExec_t siblings = graphOf(forKernels, launchBoth, record, ten, static_cast<cudaGraphExec_t>(nullptr),
                                     cudaStreamGraphFireAndForgetAsSibling);
  run(siblings, record);
  CHECK_EQ(record->count, 3);
  CHECK(positionOf(*record, 10) >= 0);

  cudaGraphExec_t loop = graphOf(forKernels, again, record, 100);
  run(loop, record);
  CHECK_EQ(record->count, 100);
  for (int i = 0; i < 100; ++i) CHECK_EQ(record->marks[i], i);

  // A graph that waits for its turn cannot be launched again; that of the kernel is none that kernels launch.
  cudaGraphExec_t repeated = graphOf(0, twice, record, ten);
  run(repeated, record);
  CHECK_EQ(record->marks[0], cudaSuccess);
  CHECK_EQ(record->marks[1], cudaErrorInvalidValue);
  CHECK_EQ(record->marks[2], 1);
  CHECK_EQ(record->marks[3], 10);

  for (cudaGraphExec_t each : {ten, twenty, fires, tails, inner, outer, siblings, loop, repeated})
    CUDA_OK(cudaGraphExecDestroy(each));
  CUDA_OK(cudaFree(record));
  return check::finish();
}
