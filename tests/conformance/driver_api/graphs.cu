// options: -lcuda
// Graphs of the driver API: nodes with the driver's parameters, capture, update, and the runtime's view of them.
#include <cuda.h>

#include "../check.h"

#define CU(...) CHECK_EQ(__VA_ARGS__, CUDA_SUCCESS)

__global__ void add(int *p, int value) { *p += value; }

static CUfunction addFunction() {
  cudaFunction_t function = nullptr;
  CUDA_OK(cudaGetFuncBySymbol(&function, reinterpret_cast<const void *>(add)));
  return function;
}

static CUDA_KERNEL_NODE_PARAMS kernelOf(CUfunction function, void **arguments) {
  CUDA_KERNEL_NODE_PARAMS params = {};
  params.func = function;
  params.gridDimX = params.gridDimY = params.gridDimZ = 1;
  params.blockDimX = params.blockDimY = params.blockDimZ = 1;
  params.kernelParams = arguments;
  return params;
}

static void count(void *counter) { ++*static_cast<int *>(counter); }

// What the driver says of the nodes.
static void question(CUgraph graph, CUgraphNode filled, CUgraphNode added, CUgraphNode copied, CUfunction function,
                     CUdeviceptr memory) {
  size_t many = 0;
  CU(cuGraphGetNodes(graph, nullptr, &many));
  CHECK_EQ(many, 4);
  CUgraphNodeType type;
  CU(cuGraphNodeGetType(copied, &type));
  CHECK_EQ(type, CU_GRAPH_NODE_TYPE_MEMCPY);
  CUDA_KERNEL_NODE_PARAMS given = {};
  CU(cuGraphKernelNodeGetParams(added, &given));
  CHECK_EQ(given.func, function);
  CHECK_EQ(given.blockDimX, 1);
  CHECK_EQ(*static_cast<int *>(given.kernelParams[1]), 3);
  CUDA_MEMSET_NODE_PARAMS filling = {};
  CU(cuGraphMemsetNodeGetParams(filled, &filling));
  CHECK_EQ(filling.dst, memory);
  CHECK_EQ(filling.value, 5);
}

static void nodes(CUcontext context, int *shared) {
  const CUdeviceptr memory = reinterpret_cast<CUdeviceptr>(shared);
  CUgraph graph = nullptr;
  CU(cuGraphCreate(&graph, 0));
  CUDA_MEMSET_NODE_PARAMS fill = {};
  fill.dst = memory;
  fill.value = 5;
  fill.elementSize = 4;
  fill.width = fill.height = 1;
  CUgraphNode filled = nullptr, added = nullptr, copied = nullptr, called = nullptr;
  CU(cuGraphAddMemsetNode(&filled, graph, nullptr, 0, &fill, context));
  int value = 3;
  void *arguments[] = {&shared, &value};
  CUDA_KERNEL_NODE_PARAMS kernel = kernelOf(addFunction(), arguments);
  CU(cuGraphAddKernelNode(&added, graph, &filled, 1, &kernel));
  int result = 0, calls = 0;
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = memory;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = &result;
  copy.WidthInBytes = sizeof result;
  copy.Height = copy.Depth = 1;
  CU(cuGraphAddMemcpyNode(&copied, graph, &added, 1, &copy, context));
  CUDA_HOST_NODE_PARAMS host = {};
  host.fn = count;
  host.userData = &calls;
  CU(cuGraphAddHostNode(&called, graph, &copied, 1, &host));

  question(graph, filled, added, copied, kernel.func, memory);

  CUgraphExec executable = nullptr;
  CU(cuGraphInstantiate(&executable, graph, 0));
  CUstream stream = nullptr;
  CU(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CU(cuGraphLaunch(executable, stream));
  CU(cuStreamSynchronize(stream));
  CHECK_EQ(result, 8);
  CHECK_EQ(calls, 1);
  value = 10;
  CU(cuGraphExecKernelNodeSetParams(executable, added, &kernel));
  CU(cuGraphLaunch(executable, stream));
  CU(cuStreamSynchronize(stream));
  CHECK_EQ(result, 15);
  CU(cuGraphNodeSetEnabled(executable, added, 0));
  CU(cuGraphLaunch(executable, stream));
  CU(cuStreamSynchronize(stream));
  CHECK_EQ(result, 5);
  CU(cuGraphExecDestroy(executable));
  CU(cuGraphDestroy(graph));
  CU(cuStreamDestroy(stream));
}

static void anyNode(int *shared) {
  CUgraph graph = nullptr;
  CU(cuGraphCreate(&graph, 0));
  int value = 7;
  void *arguments[] = {&shared, &value};
  CUgraphNodeParams params = {};
  params.type = CU_GRAPH_NODE_TYPE_KERNEL;
  params.kernel.func = addFunction();
  params.kernel.gridDimX = params.kernel.gridDimY = params.kernel.gridDimZ = 1;
  params.kernel.blockDimX = params.kernel.blockDimY = params.kernel.blockDimZ = 1;
  params.kernel.kernelParams = arguments;
  CUgraphNode first = nullptr, second = nullptr;
  CU(cuGraphAddNode(&first, graph, nullptr, nullptr, 0, &params));
  value = 8;
  CU(cuGraphAddNode(&second, graph, &first, nullptr, 1, &params));
  CUgraphNode from = nullptr, to = nullptr;
  size_t edges = 1;
  CU(cuGraphGetEdges(graph, &from, &to, nullptr, &edges));
  CHECK_EQ(edges, 1);
  CHECK_EQ(from, first);
  CHECK_EQ(to, second);
  // The runtime sees the same graph.
  cudaGraphNodeType type;
  CUDA_OK(cudaGraphNodeGetType(second, &type));
  CHECK_EQ(type, cudaGraphNodeTypeKernel);
  cudaGraphExec_t executable = nullptr;
  CUDA_OK(cudaGraphInstantiate(&executable, graph, 0));
  *shared = 0;
  CUDA_OK(cudaGraphLaunch(executable, nullptr));
  CUDA_OK(cudaDeviceSynchronize());
  CHECK_EQ(*shared, 15);
  CUDA_OK(cudaGraphExecDestroy(executable));
  CU(cuGraphDestroy(graph));
}

static void capture(int *shared) {
  CUstream stream = nullptr;
  CU(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CU(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  CUstreamCaptureStatus status;
  CU(cuStreamIsCapturing(stream, &status));
  CHECK_EQ(status, CU_STREAM_CAPTURE_STATUS_ACTIVE);
  CU(cuMemsetD32Async(reinterpret_cast<CUdeviceptr>(shared), 1, 1, stream));
  add<<<1, 1, 0, stream>>>(shared, 2);
  CUgraph inside = nullptr;
  cuuint64_t id = 0;
  const CUgraphNode *dependencies = nullptr;
  size_t many = 0;
  CU(cuStreamGetCaptureInfo(stream, &status, &id, &inside, &dependencies, nullptr, &many));
  CHECK_EQ(many, 1);
  CUgraph graph = nullptr;
  CU(cuStreamEndCapture(stream, &graph));
  CHECK_EQ(graph, inside);
  CUgraphExec executable = nullptr;
  CU(cuGraphInstantiateWithFlags(&executable, graph, 0));
  CU(cuGraphLaunch(executable, stream));
  CU(cuStreamSynchronize(stream));
  CHECK_EQ(*shared, 3);
  CUgraphExecUpdateResultInfo info = {};
  CU(cuGraphExecUpdate(executable, graph, &info));
  CHECK_EQ(info.result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
  CU(cuGraphExecDestroy(executable));
  CU(cuGraphDestroy(graph));
  CU(cuStreamDestroy(stream));
}

// A batch is done in order; a wait in it holds what follows.
static void batch(int *shared) {
  const CUdeviceptr words = reinterpret_cast<CUdeviceptr>(shared);
  shared[0] = shared[1] = 0;
  CUstreamBatchMemOpParams ops[3] = {};
  ops[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
  ops[0].writeValue.address = words;
  ops[0].writeValue.value = 4;
  ops[1].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
  ops[1].waitValue.address = words;
  ops[1].waitValue.value = 4;
  ops[1].waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
  ops[2].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
  ops[2].writeValue.address = words + 4;
  ops[2].writeValue.value = 6;
  CUstream stream = nullptr;
  CU(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CU(cuStreamBatchMemOp(stream, 3, ops, 0));
  CU(cuStreamSynchronize(stream));
  CHECK_EQ(shared[0], 4);
  CHECK_EQ(shared[1], 6);
  CU(cuStreamDestroy(stream));
}

static CUstreamBatchMemOpParams writing(CUdeviceptr address, unsigned value) {
  CUstreamBatchMemOpParams op = {};
  op.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
  op.writeValue.address = address;
  op.writeValue.value = value;
  return op;
}

// Operations on memory as a node: asked for, changed in the graph and in its executable.
static void batchNode(CUcontext context, int *shared) {
  const CUdeviceptr words = reinterpret_cast<CUdeviceptr>(shared);
  CUstreamBatchMemOpParams ops[3] = {writing(words, 4), {}, writing(words + 4, 6)};
  ops[1].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
  ops[1].waitValue.address = words;
  ops[1].waitValue.value = 4;
  ops[1].waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
  CUgraph graph = nullptr;
  CUgraphNode node = nullptr;
  CUgraphExec executable = nullptr;
  CUDA_BATCH_MEM_OP_NODE_PARAMS params = {};
  params.ctx = context;
  params.count = 3;
  params.paramArray = ops;
  CU(cuGraphCreate(&graph, 0));
  CU(cuGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &params));
  CUgraphNodeType type;
  CU(cuGraphNodeGetType(node, &type));
  CHECK_EQ(type, CU_GRAPH_NODE_TYPE_BATCH_MEM_OP);
  CUDA_BATCH_MEM_OP_NODE_PARAMS given = {};
  CU(cuGraphBatchMemOpNodeGetParams(node, &given));
  CHECK_EQ(given.count, 3);
  CHECK_EQ(given.paramArray[2].writeValue.value, 6);
  shared[0] = shared[1] = 0;
  CU(cuGraphInstantiate(&executable, graph, 0));
  CU(cuGraphLaunch(executable, nullptr));
  CU(cuStreamSynchronize(nullptr));
  CHECK_EQ(shared[0], 4);
  CHECK_EQ(shared[1], 6);
  ops[2].writeValue.value = 8;
  CU(cuGraphExecBatchMemOpNodeSetParams(executable, node, &params));
  CU(cuGraphLaunch(executable, nullptr));
  CU(cuStreamSynchronize(nullptr));
  CHECK_EQ(shared[1], 8);
  params.count = 256;
  CHECK_EQ(cuGraphBatchMemOpNodeSetParams(node, &params), CUDA_ERROR_INVALID_VALUE);
  params.count = 0;
  CU(cuGraphBatchMemOpNodeSetParams(node, &params));
  CU(cuGraphExecDestroy(executable));
  CU(cuGraphDestroy(graph));
}

int main() {
  CUDA_OK(cudaFree(nullptr));
  CUcontext context = nullptr;
  CU(cuCtxGetCurrent(&context));
  int *shared = nullptr;
  CUDA_OK(cudaMallocManaged(&shared, 2 * sizeof *shared));
  nodes(context, shared);
  anyNode(shared);
  capture(shared);
  CUDA_OK(cudaFree(shared));
  CUDA_OK(cudaMallocHost(&shared, 2 * sizeof *shared));
  batch(shared);
  batchNode(context, shared);
  CUDA_OK(cudaFreeHost(shared));
  return check::finish();
}
