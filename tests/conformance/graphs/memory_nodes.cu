// Memory that graphs allocate: fixed addresses, freed in the graph, by the stream or by another graph.
#include "../check.h"

__global__ void fill(int *data, int value, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) data[i] = value + i;
}
__global__ void sum(const int *data, int count, long long *out) {
  long long total = 0;
  for (int i = 0; i < count; ++i) total += data[i];
  *out = total;
}

constexpr int count = 5000;
constexpr long long expected(int value) { return count * 1LL * value + count * (count - 1LL) / 2; }

cudaMemAllocNodeParams request() {
  cudaMemAllocNodeParams params = {};
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location.type = cudaMemLocationTypeDevice;
  params.poolProps.location.id = 0;
  params.bytesize = count * sizeof(int);
  return params;
}

cudaGraphNode_t addKernel(cudaGraph_t graph, void *function, void **arguments, cudaGraphNode_t after) {
  cudaKernelNodeParams params = {};
  params.func = function;
  params.gridDim = dim3(1);
  params.blockDim = dim3(1);
  params.kernelParams = arguments;
  cudaGraphNode_t node;
  CUDA_OK(cudaGraphAddKernelNode(&node, graph, &after, 1, &params));
  return node;
}

// allocating() makes: allocate, fill, sum, and a node that frees if asked for.
cudaGraph_t allocating(long long *out, bool freeing, int **memory) {
  cudaGraph_t graph;
  CUDA_OK(cudaGraphCreate(&graph, 0));
  cudaMemAllocNodeParams params = request();
  cudaGraphNode_t allocate, release;
  CUDA_OK(cudaGraphAddMemAllocNode(&allocate, graph, nullptr, 0, &params));
  CHECK(params.dptr != nullptr);
  int value = 3, n = count;
  void *fillArguments[] = {&params.dptr, &value, &n};
  void *sumArguments[] = {&params.dptr, &n, &out};
  cudaGraphNode_t last = addKernel(graph, reinterpret_cast<void *>(fill), fillArguments, allocate);
  last = addKernel(graph, reinterpret_cast<void *>(sum), sumArguments, last);
  if (freeing) CUDA_OK(cudaGraphAddMemFreeNode(&release, graph, &last, 1, params.dptr));
  cudaMemAllocNodeParams got = {};
  CUDA_OK(cudaGraphMemAllocNodeGetParams(allocate, &got));
  CHECK(got.dptr == params.dptr);
  *memory = static_cast<int *>(params.dptr);
  return graph;
}

void freedInside(cudaStream_t stream, long long *out) {
  int *memory;
  cudaGraph_t graph = allocating(out, true, &memory);
  cudaGraphExec_t executable;
  CUDA_OK(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 3; ++i) {
    CUDA_OK(cudaMemsetAsync(out, 0, sizeof *out, stream));
    CUDA_OK(cudaGraphLaunch(executable, stream));
    CUDA_OK(cudaStreamSynchronize(stream));
    CHECK_EQ(*out, expected(3));
  }
  // Such graphs are instantiated once at a time and not cloned.
  cudaGraphExec_t second;
  cudaGraph_t clone;
  CHECK_EQ(cudaGraphInstantiate(&second, graph, 0), cudaErrorNotSupported);
  CHECK_EQ(cudaGraphClone(&clone, graph), cudaErrorNotSupported);
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaGraphDestroy(graph));
}

void freedOutside(cudaStream_t stream, long long *out) {
  int *memory;
  cudaGraph_t graph = allocating(out, false, &memory);
  cudaGraphExec_t executable;
  CUDA_OK(cudaGraphInstantiate(&executable, graph, 0));
  CUDA_OK(cudaGraphLaunch(executable, stream));
  CHECK_EQ(cudaGraphLaunch(executable, stream), cudaErrorInvalidValue);  // not freed yet
  fill<<<1, 32, 0, stream>>>(memory, 7, count);
  sum<<<1, 1, 0, stream>>>(memory, count, out);
  CUDA_OK(cudaFreeAsync(memory, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  CHECK_EQ(*out, expected(7));
  CUDA_OK(cudaGraphLaunch(executable, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  CHECK_EQ(*out, expected(3));
  CUDA_OK(cudaFree(memory));
  CUDA_OK(cudaGraphExecDestroy(executable));

  CUDA_OK(cudaGraphInstantiate(&executable, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  unsigned long long flags = 0;
  CUDA_OK(cudaGraphExecGetFlags(executable, &flags));
  CHECK_EQ(flags, cudaGraphInstantiateFlagAutoFreeOnLaunch);
  for (int i = 0; i < 3; ++i) CUDA_OK(cudaGraphLaunch(executable, stream));
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaStreamSynchronize(stream));
  CHECK_EQ(*out, expected(3));
  CUDA_OK(cudaFreeAsync(memory, stream));  // outlives its graph
  CUDA_OK(cudaStreamSynchronize(stream));
}

void captured(cudaStream_t stream, long long *out) {
  int *memory = nullptr;
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CUDA_OK(cudaMallocAsync(&memory, count * sizeof(int), stream));
  CHECK(memory != nullptr);
  fill<<<1, 32, 0, stream>>>(memory, 9, count);
  sum<<<1, 1, 0, stream>>>(memory, count, out);
  CUDA_OK(cudaFreeAsync(memory, stream));
  cudaGraph_t graph;
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  cudaGraphNode_t nodes[4];
  size_t n = 4;
  CUDA_OK(cudaGraphGetNodes(graph, nodes, &n));
  CHECK_EQ(n, 4);
  cudaGraphNodeType type;
  CUDA_OK(cudaGraphNodeGetType(nodes[0], &type));
  CHECK_EQ(type, cudaGraphNodeTypeMemAlloc);
  CUDA_OK(cudaGraphNodeGetType(nodes[3], &type));
  CHECK_EQ(type, cudaGraphNodeTypeMemFree);
  cudaGraphExec_t executable;
  CUDA_OK(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 3; ++i) CUDA_OK(cudaGraphLaunch(executable, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  CHECK_EQ(*out, expected(9));
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaGraphDestroy(graph));
}

unsigned long long attribute(cudaGraphMemAttributeType which) {
  unsigned long long bytes = 0;
  CUDA_OK(cudaDeviceGetGraphMemAttribute(0, which, &bytes));
  return bytes;
}

cudaGraphNodeParams allocation() {
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeMemAlloc;
  params.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
  params.alloc.poolProps.location.type = cudaMemLocationTypeDevice;
  params.alloc.bytesize = 64;
  return params;
}

// What memory nodes cannot have, and what is not there.
void refused() {
  cudaGraph_t graph;
  CUDA_OK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t node;
  cudaMemAccessDesc access{};
  access.location.type = cudaMemLocationTypeDevice;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  const auto add = [&](auto change) {
    cudaGraphNodeParams params = allocation();
    change(params.alloc);
    const cudaError_t error = cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params);
    CHECK_EQ(cudaGetLastError(), error);
    return error;
  };
  const auto withAccess = [&](cudaMemAllocNodeParamsV2 &alloc) {
    alloc.accessDescs = &access;
    alloc.accessDescCount = 1;
  };
  CHECK_EQ(add([](auto &alloc) { alloc.bytesize = 0; }), cudaErrorInvalidValue);
  CHECK_EQ(add([](auto &alloc) { alloc.poolProps.location.id = 99; }), cudaErrorInvalidValue);
  CHECK_EQ(add([](auto &alloc) { alloc.poolProps.allocType = cudaMemAllocationTypeInvalid; }), cudaErrorInvalidValue);
  CHECK_EQ(add([](auto &alloc) { alloc.poolProps.location.type = cudaMemLocationTypeHost; }), cudaErrorNotSupported);
  CHECK_EQ(add([](auto &alloc) { alloc.poolProps.handleTypes = cudaMemHandleTypePosixFileDescriptor; }),
           cudaErrorNotSupported);
  CHECK_EQ(add(withAccess), cudaSuccess);
  access.flags = cudaMemAccessFlagsProtRead;
  CHECK_EQ(add(withAccess), cudaErrorNotSupported);
  access = {{cudaMemLocationTypeDevice, 77}, cudaMemAccessFlagsProtReadWrite};
  CHECK_EQ(add(withAccess), cudaErrorInvalidDevice);
  CUDA_OK(cudaGraphDestroy(graph));
}

// A graph that was moved into another one is no longer one of its own.
void moved() {
  cudaGraph_t child, parent, other;
  CUDA_OK(cudaGraphCreate(&child, 0));
  CUDA_OK(cudaGraphCreate(&parent, 0));
  CUDA_OK(cudaGraphCreate(&other, 0));
  cudaGraphNode_t node;
  cudaGraphNodeParams alloc = allocation();
  CUDA_OK(cudaGraphAddNode(&node, child, nullptr, nullptr, 0, &alloc));
  cudaGraphNodeParams release{};
  release.type = cudaGraphNodeTypeMemFree;
  release.free.dptr = alloc.alloc.dptr;
  cudaGraphNode_t freeing;
  CUDA_OK(cudaGraphAddNode(&freeing, child, &node, nullptr, 1, &release));
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeGraph;
  params.graph.graph = child;
  params.graph.ownership = cudaGraphChildGraphOwnershipClone;
  CHECK_EQ(cudaGraphAddNode(&node, parent, nullptr, nullptr, 0, &params), cudaErrorNotSupported);
  params.graph.ownership = cudaGraphChildGraphOwnershipMove;
  CUDA_OK(cudaGraphAddNode(&node, parent, nullptr, nullptr, 0, &params));
  CHECK_EQ(cudaGraphAddNode(&node, other, nullptr, nullptr, 0, &params), cudaErrorNotSupported);
  cudaGraphExec_t executable;
  CHECK_EQ(cudaGraphInstantiate(&executable, child, 0), cudaErrorNotSupported);
  CHECK_EQ(cudaGraphDestroy(child), cudaErrorInvalidValue);
  alloc = allocation();
  CHECK_EQ(cudaGraphAddNode(&node, child, nullptr, nullptr, 0, &alloc), cudaErrorNotSupported);
  (void)cudaGetLastError();
  CUDA_OK(cudaGraphInstantiate(&executable, parent, 0));
  CUDA_OK(cudaGraphLaunch(executable, nullptr));
  CUDA_OK(cudaDeviceSynchronize());
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaGraphDestroy(parent));
  CUDA_OK(cudaGraphDestroy(other));
}

int main() {
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  long long *out;
  CUDA_OK(cudaMallocManaged(&out, sizeof *out));
  freedInside(stream, out);
  freedOutside(stream, out);
  captured(stream, out);
  refused();
  moved();
  CHECK(attribute(cudaGraphMemAttrReservedMemHigh) >= count * sizeof(int));
  CHECK(attribute(cudaGraphMemAttrUsedMemHigh) >= count * sizeof(int));
  CUDA_OK(cudaDeviceGraphMemTrim(0));
  CHECK_EQ(attribute(cudaGraphMemAttrReservedMemCurrent), 0);
  unsigned long long zero = 0;
  CUDA_OK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &zero));
  CHECK_EQ(attribute(cudaGraphMemAttrReservedMemHigh), 0);
  CUDA_OK(cudaFree(out));
  CUDA_OK(cudaStreamDestroy(stream));
  (void)cudaGetLastError();
  return check::finish();
}
