// options: -lcuda
// Green contexts by the runtime's names of CUDA 13.1: resources, how they split, contexts and their streams, events and
// nodes of graphs. (That nvcc of CUDA 13.0 does not know them is why this is no conformance test.)
#include <cuda.h>

#include <set>

#include "../conformance/check.h"

__global__ void sms(unsigned *seen) {
  unsigned sm, all;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  asm volatile("mov.u32 %0, %%nsmid;" : "=r"(all));
  if (threadIdx.x == 0) seen[blockIdx.x] = sm * 1000 + all;
}
__global__ void add(int *counter) { atomicAdd(counter, 1); }

static cudaDevResource all() {
  cudaDevResource resource{};
  CUDA_OK(cudaDeviceGetDevResource(0, &resource, cudaDevResourceTypeSm));
  return resource;
}

static void resources() {
  const cudaDevResource whole = all();
  cudaDeviceProp properties;
  CUDA_OK(cudaGetDeviceProperties(&properties, 0));
  CHECK_EQ(whole.type, cudaDevResourceTypeSm);
  CHECK_EQ(int(whole.sm.smCount), properties.multiProcessorCount);
  CHECK_EQ(whole.sm.smCoscheduledAlignment, properties.major >= 9 ? 8u : 2u);
  cudaDevResource queues{};
  CUDA_OK(cudaDeviceGetDevResource(0, &queues, cudaDevResourceTypeWorkqueueConfig));
  CHECK_EQ(queues.wqConfig.device, 0);
  CHECK_EQ(queues.wqConfig.wqConcurrencyLimit, 8u);
  CHECK_EQ(queues.wqConfig.sharingScope, cudaDevWorkqueueConfigScopeDeviceCtx);
  CUDA_OK(cudaDeviceGetDevResource(0, &queues, cudaDevResourceTypeWorkqueue));
  CHECK_EQ(cudaDeviceGetDevResource(0, &queues, cudaDevResourceTypeInvalid), cudaErrorInvalidResourceType);
  CHECK_EQ(cudaDeviceGetDevResource(0, nullptr, cudaDevResourceTypeSm), cudaErrorInvalidValue);
  CHECK_EQ(cudaDeviceGetDevResource(99, &queues, cudaDevResourceTypeSm), cudaErrorInvalidDevice);
}

static void splits() {
  const cudaDevResource whole = all();
  const unsigned count = whole.sm.smCount;
  cudaDevResource parts[2] = {}, rest = {};
  cudaDevSmResourceGroupParams params[2] = {{8, 2, 0, 0}, {0, 2, 0, cudaDevSmResourceGroupBackfill}};
  CUDA_OK(cudaDevSmResourceSplit(parts, 2, &whole, &rest, 0, params));
  CHECK_EQ(parts[0].sm.smCount, 8u);
  CHECK_EQ(parts[0].sm.smCoscheduledAlignment, 2u);
  CHECK_EQ(parts[1].sm.smCount, count - 8);
  CHECK_EQ(parts[1].sm.flags, unsigned(cudaDevSmResourceGroupBackfill));
  CHECK_EQ(params[1].smCount, count - 8);
  CHECK_EQ(params[0].preferredCoscheduledSmCount, 2u);
  CHECK_EQ(rest.type, cudaDevResourceTypeInvalid);

  // What is left for the second group depends on the first.
  cudaDevSmResourceGroupParams discovery[2] = {{0, 2, 0, 0}, {0, 2, 0, 0}};
  CUDA_OK(cudaDevSmResourceSplit(nullptr, 2, &whole, nullptr, 0, discovery));
  CHECK_EQ(discovery[0].smCount, count);
  CHECK_EQ(discovery[1].smCount, 0u);
  discovery[0] = discovery[1] = {0, 2, 0, 0};
  CHECK_EQ(cudaDevSmResourceSplit(parts, 2, &whole, nullptr, 0, discovery), cudaErrorInvalidResourceConfiguration);
  for (cudaDevSmResourceGroupParams wrong :
       {cudaDevSmResourceGroupParams{3, 2, 0, 0}, {count + 2, 2, 0, 0}, {8, 3, 0, 0}, {8, 64, 0, 0}, {8, 2, 3, 0}})
    CHECK_EQ(cudaDevSmResourceSplit(parts, 1, &whole, nullptr, 0, &wrong), cudaErrorInvalidResourceConfiguration);
  cudaDevSmResourceGroupParams usual = {8, 0, 0, 0};
  CHECK_EQ(cudaDevSmResourceSplit(parts, 1, &whole, nullptr, 1, &usual), cudaErrorInvalidValue);
  CHECK_EQ(cudaDevSmResourceSplit(parts, 1, nullptr, nullptr, 0, &usual), cudaErrorInvalidValue);
  CHECK_EQ(cudaDevSmResourceSplit(parts, 1, &rest, nullptr, 0, &usual), cudaErrorInvalidResourceType);

  unsigned groups = 2;
  CUDA_OK(cudaDevSmResourceSplitByCount(parts, &groups, &whole, &rest, cudaDevSmResourceSplitIgnoreSmCoscheduling, 3));
  CHECK_EQ(groups, 2u);
  CHECK_EQ(parts[0].sm.smCount, 4u);
  CHECK_EQ(rest.sm.smCount, count - 8);
  // Neither what a split gave nor what was written over is split again.
  CHECK_EQ(cudaDevSmResourceSplit(parts, 1, &parts[0], nullptr, 0, &usual), cudaErrorInvalidResourceConfiguration);
  cudaDevResource forged = whole;
  forged.sm.smCount = 4;
  CHECK_EQ(cudaDevSmResourceSplit(parts, 1, &forged, nullptr, 0, &usual), cudaErrorInvalidResourceConfiguration);
}

// make() gives two contexts of 8 and of 4 SMs, the second with queues of its own.
static void make(cudaExecutionContext_t (&contexts)[2]) {
  const cudaDevResource whole = all();
  cudaDevResource parts[3] = {};
  cudaDevSmResourceGroupParams params[2] = {{8, 2, 0, 0}, {4, 2, 0, 0}};
  CUDA_OK(cudaDevSmResourceSplit(parts, 2, &whole, nullptr, 0, params));
  parts[2].type = cudaDevResourceTypeWorkqueueConfig;
  parts[2].wqConfig = {0, 4, cudaDevWorkqueueConfigScopeGreenCtxBalanced};
  cudaDevResourceDesc_t descriptions[2];
  CUDA_OK(cudaDevResourceGenerateDesc(&descriptions[0], &parts[0], 1));
  CUDA_OK(cudaDevResourceGenerateDesc(&descriptions[1], &parts[1], 2));
  cudaDevResource queues[2] = {parts[2], parts[2]};
  CHECK_EQ(cudaDevResourceGenerateDesc(&descriptions[1], queues, 2), cudaErrorInvalidResourceConfiguration);
  CHECK_EQ(cudaGreenCtxCreate(&contexts[0], descriptions[0], 0, 1), cudaErrorInvalidValue);
  CHECK_EQ(cudaGreenCtxCreate(&contexts[0], nullptr, 0, 0), cudaErrorInvalidValue);
  CHECK_EQ(cudaGreenCtxCreate(&contexts[0], descriptions[0], 99, 0), cudaErrorInvalidDevice);
  for (int i = 0; i < 2; ++i) CUDA_OK(cudaGreenCtxCreate(&contexts[i], descriptions[i], 0, 0));
}

static void streams(cudaExecutionContext_t context, unsigned count, unsigned first) {
  cudaStream_t stream;
  CUDA_OK(cudaExecutionCtxStreamCreate(&stream, context, cudaStreamDefault, 0));
  unsigned flags = 0;
  CUDA_OK(cudaStreamGetFlags(stream, &flags));
  CHECK_EQ(flags, unsigned(cudaStreamNonBlocking));
  cudaDevResource own{};
  CUDA_OK(cudaStreamGetDevResource(stream, &own, cudaDevResourceTypeSm));
  CHECK_EQ(own.sm.smCount, count);
  CHECK_EQ(cudaStreamGetDevResource(stream, &own, cudaDevResourceTypeWorkqueue), cudaErrorInvalidResourceType);
  check::DeviceArray<unsigned> seen(64, 0);
  sms<<<64, 32, 0, stream>>>(seen.get());
  CUDA_OK(cudaExecutionCtxSynchronize(context));
  std::set<unsigned> numbers;
  for (unsigned each : seen.download()) {
    numbers.insert(each / 1000);
    CHECK_EQ(each % 1000, all().sm.smCount);
  }
  CHECK_EQ(numbers.size(), size_t(count));
  CHECK_EQ(*numbers.begin(), first);
  CUDA_OK(cudaStreamDestroy(stream));
}

static void queries(cudaExecutionContext_t (&contexts)[2]) {
  cudaExecutionContext_t primary;
  CUDA_OK(cudaDeviceGetExecutionCtx(&primary, 0));
  unsigned long long ids[3];
  int device = -1;
  CUDA_OK(cudaExecutionCtxGetId(primary, &ids[2]));
  for (int i = 0; i < 2; ++i) {
    CUDA_OK(cudaExecutionCtxGetId(contexts[i], &ids[i]));
    CUDA_OK(cudaExecutionCtxGetDevice(&device, contexts[i]));
    CHECK_EQ(device, 0);
  }
  CHECK_EQ(ids[0] != ids[1] && ids[1] != ids[2] && ids[0] != ids[2], true);
  cudaDevResource own{};
  CUDA_OK(cudaExecutionCtxGetDevResource(primary, &own, cudaDevResourceTypeSm));
  CHECK_EQ(own.sm.smCount, all().sm.smCount);
  CUDA_OK(cudaExecutionCtxGetDevResource(contexts[1], &own, cudaDevResourceTypeWorkqueueConfig));
  CHECK_EQ(own.wqConfig.wqConcurrencyLimit, 4u);
  CHECK_EQ(own.wqConfig.sharingScope, cudaDevWorkqueueConfigScopeGreenCtxBalanced);
  // What a context has may be split again.
  CUDA_OK(cudaExecutionCtxGetDevResource(contexts[0], &own, cudaDevResourceTypeSm));
  cudaDevResource halves[2];
  cudaDevSmResourceGroupParams params[2] = {{4, 2, 0, 0}, {4, 2, 0, 0}};
  CUDA_OK(cudaDevSmResourceSplit(halves, 2, &own, nullptr, 0, params));
  CHECK_EQ(cudaExecutionCtxGetDevice(&device, nullptr), cudaErrorInvalidValue);
  CHECK_EQ(cudaExecutionCtxSynchronize(nullptr), cudaErrorInvalidValue);
  CHECK_EQ(cudaExecutionCtxDestroy(primary), cudaErrorInvalidValue);
}

static void events(cudaExecutionContext_t (&contexts)[2]) {
  cudaStream_t streams[2];
  for (int i = 0; i < 2; ++i) CUDA_OK(cudaExecutionCtxStreamCreate(&streams[i], contexts[i], cudaStreamNonBlocking, 0));
  check::DeviceArray<int> counter(1, 0);
  cudaEvent_t event;
  CUDA_OK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  add<<<100, 32, 0, streams[0]>>>(counter.get());
  CUDA_OK(cudaExecutionCtxRecordEvent(contexts[0], event));
  CUDA_OK(cudaExecutionCtxWaitEvent(contexts[1], event));
  int copied = 0;
  CUDA_OK(cudaMemcpyAsync(&copied, counter.get(), sizeof copied, cudaMemcpyDeviceToHost, streams[1]));
  CUDA_OK(cudaStreamSynchronize(streams[1]));
  CHECK_EQ(copied, 3200);
  CHECK_EQ(cudaExecutionCtxRecordEvent(contexts[0], nullptr), cudaErrorInvalidResourceHandle);
  // The primary context's event stands for the work of all.
  add<<<100, 32, 0, streams[1]>>>(counter.get());
  cudaExecutionContext_t primary;
  CUDA_OK(cudaDeviceGetExecutionCtx(&primary, 0));
  CUDA_OK(cudaExecutionCtxRecordEvent(primary, event));
  CUDA_OK(cudaEventSynchronize(event));
  CHECK_EQ(counter.download()[0], 6400);
  for (cudaStream_t stream : streams) CUDA_OK(cudaStreamDestroy(stream));
  CUDA_OK(cudaEventDestroy(event));
}

static void captures(cudaExecutionContext_t context) {
  cudaStream_t stream;
  CUDA_OK(cudaExecutionCtxStreamCreate(&stream, context, cudaStreamDefault, 0));
  cudaEvent_t event;
  CUDA_OK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  CHECK_EQ(cudaExecutionCtxRecordEvent(context, event), cudaErrorStreamCaptureUnsupported);
  cudaGraph_t graph;
  CHECK_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  CUDA_OK(cudaStreamDestroy(stream));
  CUDA_OK(cudaEventDestroy(event));
}

// The context of a node decides on its SMs, not the stream that the graph is launched into.
static void graphs(cudaExecutionContext_t context, unsigned count) {
  check::DeviceArray<unsigned> seen(64, 0);
  unsigned *pointer = seen.get();
  void *arguments[] = {&pointer};
  cudaGraph_t graph;
  CUDA_OK(cudaGraphCreate(&graph, 0));
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeKernel;
  params.kernel.func = reinterpret_cast<void *>(sms);
  params.kernel.gridDim = dim3(64);
  params.kernel.blockDim = dim3(32);
  params.kernel.kernelParams = arguments;
  params.kernel.ctx = context;
  cudaGraphNode_t node;
  CUDA_OK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
  cudaGraphExec_t executable;
  CUDA_OK(cudaGraphInstantiate(&executable, graph, 0));
  CUDA_OK(cudaGraphLaunch(executable, 0));
  CUDA_OK(cudaDeviceSynchronize());
  std::set<unsigned> numbers;
  for (unsigned each : seen.download()) numbers.insert(each / 1000);
  CHECK_EQ(numbers.size(), size_t(count));
  CUDA_KERNEL_NODE_PARAMS known = {};
  CHECK_EQ(cuGraphKernelNodeGetParams(node, &known), CUDA_SUCCESS);
  CHECK_EQ(known.ctx != nullptr, true);
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaGraphDestroy(graph));
}

static void occupancy(cudaExecutionContext_t context, unsigned count) {
  cudaStream_t stream;
  CUDA_OK(cudaExecutionCtxStreamCreate(&stream, context, cudaStreamDefault, 0));
  cudaLaunchConfig_t configuration = {};
  configuration.gridDim = dim3(64);
  configuration.blockDim = dim3(1024);
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {2, 1, 1};
  configuration.attrs = &attribute;
  configuration.numAttrs = 1;
  int ofDevice = 0, ofStream = 0;
  CUDA_OK(cudaOccupancyMaxActiveClusters(&ofDevice, sms, &configuration));
  configuration.stream = stream;
  CUDA_OK(cudaOccupancyMaxActiveClusters(&ofStream, sms, &configuration));
  CHECK_EQ(ofStream * int(all().sm.smCount), ofDevice * int(count));
  CUDA_OK(cudaStreamDestroy(stream));
}

static void destroy(cudaExecutionContext_t context) {
  cudaStream_t stream;
  CUDA_OK(cudaExecutionCtxStreamCreate(&stream, context, cudaStreamDefault, 0));
  CUDA_OK(cudaExecutionCtxDestroy(context));
  CHECK_EQ(cudaStreamQuery(stream), cudaErrorContextIsDestroyed);
  CHECK_EQ(cudaExecutionCtxDestroy(context), cudaErrorContextIsDestroyed);
  CHECK_EQ(cudaExecutionCtxSynchronize(context), cudaErrorContextIsDestroyed);
  (void)cudaGetLastError();
}

int main() {
  CUDA_OK(cudaSetDevice(0));
  resources();
  splits();
  cudaExecutionContext_t contexts[2];
  make(contexts);
  streams(contexts[0], 8, 0);
  streams(contexts[1], 4, 8);
  queries(contexts);
  events(contexts);
  captures(contexts[0]);
  graphs(contexts[1], 4);
  occupancy(contexts[1], 4);
  for (cudaExecutionContext_t context : contexts) destroy(context);
  CUDA_OK(cudaDeviceSynchronize());
  return check::finish();
}
