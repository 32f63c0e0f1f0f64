// What an executable graph takes over: copies of one row to and from arrays; memory nodes of its own graph only; copies
// to and from variables in their direction only.
#include "../check.h"

namespace {

__device__ float variable[64];
float host[64];

cudaGraph_t newGraph() {
  cudaGraph_t graph;
  CUDA_OK(cudaGraphCreate(&graph, 0));
  return graph;
}

cudaGraphExec_t instantiated(cudaGraph_t graph) {
  cudaGraphExec_t executable;
  CUDA_OK(cudaGraphInstantiate(&executable, graph, 0));
  return executable;
}

// row() is a copy between an array and linear memory.
cudaMemcpy3DParms row(cudaArray_t array, float *linear, bool fromArray, size_t rows = 1) {
  cudaMemcpy3DParms copy = {};
  copy.extent = make_cudaExtent(8, rows, 1);
  copy.kind = cudaMemcpyDeviceToDevice;
  (fromArray ? copy.srcArray : copy.dstArray) = array;
  (fromArray ? copy.dstPtr : copy.srcPtr) = make_cudaPitchedPtr(linear, 64, 8, 4);
  return copy;
}

// between() changes a copy between `array` and memory; `flat`: the array has one dimension.
void between(cudaArray_t array, cudaArray_t other, float *linear, bool fromArray) {
  const cudaGraph_t graph = newGraph();
  cudaGraphNode_t node;
  const cudaMemcpy3DParms copy = row(array, linear, fromArray);
  CUDA_OK(cudaGraphAddMemcpyNode(&node, graph, nullptr, 0, &copy));
  const cudaGraphExec_t executable = instantiated(graph);
  CHECK_EQ(cudaGraphExecMemcpyNodeSetParams(executable, node, &copy), cudaSuccess);
  cudaMemcpy3DParms changed = copy;
  changed.extent.width = 4;
  CHECK_EQ(cudaGraphExecMemcpyNodeSetParams(executable, node, &changed), cudaSuccess);
  changed.srcPos.x = 4;
  CHECK_EQ(cudaGraphExecMemcpyNodeSetParams(executable, node, &changed), cudaSuccess);
  changed = row(other, linear, fromArray);
  CHECK_EQ(cudaGraphExecMemcpyNodeSetParams(executable, node, &changed), cudaSuccess);
  changed = row(array, linear, fromArray, 2);
  CHECK_EQ(cudaGraphExecMemcpyNodeSetParams(executable, node, &changed), cudaErrorInvalidValue);
  changed = row(array, linear, fromArray);
  changed.kind = cudaMemcpyHostToDevice;
  CHECK_EQ(cudaGraphExecMemcpyNodeSetParams(executable, node, &changed), cudaErrorInvalidValue);
  changed.kind = cudaMemcpyDeviceToDevice;
  (fromArray ? changed.srcArray : changed.dstArray) = nullptr;
  (fromArray ? changed.srcPtr : changed.dstPtr) = make_cudaPitchedPtr(linear + 64, 64, 8, 4);
  CHECK_EQ(cudaGraphExecMemcpyNodeSetParams(executable, node, &changed), cudaErrorInvalidValue);
  CUDA_OK(cudaGraphLaunch(executable, nullptr));
  CUDA_OK(cudaDeviceSynchronize());
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaGraphDestroy(graph));
}

void arrays() {
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaArray_t one, another, plane;
  CUDA_OK(cudaMallocArray(&one, &floats, 256, 0));
  CUDA_OK(cudaMallocArray(&another, &floats, 256, 0));
  CUDA_OK(cudaMallocArray(&plane, &floats, 64, 64));
  check::DeviceArray<float> linear(256, 0);
  for (const bool fromArray : {false, true}) {
    between(one, another, linear.get(), fromArray);
    between(plane, plane, linear.get(), fromArray);
  }
  for (cudaArray_t each : {one, another, plane}) CUDA_OK(cudaFreeArray(each));
}

// withMemory() is a graph that allocates memory, fills it and frees it; `filling` is its second node.
cudaGraph_t withMemory(cudaGraphNode_t *filling) {
  const cudaGraph_t graph = newGraph();
  cudaMemAllocNodeParams request = {};
  request.bytesize = 4096;
  request.poolProps.allocType = cudaMemAllocationTypePinned;
  request.poolProps.location.type = cudaMemLocationTypeDevice;
  cudaGraphNode_t allocating, freeing;
  CUDA_OK(cudaGraphAddMemAllocNode(&allocating, graph, nullptr, 0, &request));
  cudaMemsetParams fill = {};
  fill.dst = request.dptr;
  fill.elementSize = 4;
  fill.width = 64;
  fill.height = 1;
  CUDA_OK(cudaGraphAddMemsetNode(filling, graph, &allocating, 1, &fill));
  CUDA_OK(cudaGraphAddMemFreeNode(&freeing, graph, filling, 1, request.dptr));
  return graph;
}

void memoryNodes() {
  cudaGraphNode_t filling, others;
  const cudaGraph_t graph = withMemory(&filling), other = withMemory(&others);
  const cudaGraphExec_t executable = instantiated(graph);
  cudaGraphExecUpdateResultInfo info = {};
  CHECK_EQ(cudaGraphExecUpdate(executable, graph, &info), cudaSuccess);
  // Of another graph: its memory is not there, or is another executable's.
  CHECK_EQ(cudaGraphExecUpdate(executable, other, &info), cudaErrorGraphExecUpdateFailure);
  CHECK_EQ(info.result, cudaGraphExecUpdateError);
  CHECK(info.errorNode == others);
  const cudaGraphExec_t second = instantiated(other);
  CHECK_EQ(cudaGraphExecUpdate(executable, other, &info), cudaErrorNotSupported);
  CHECK_EQ(info.result, cudaGraphExecUpdateSuccess);
  CHECK(info.errorNode == nullptr);
  CHECK_EQ(cudaGraphExecUpdate(second, graph, &info), cudaErrorNotSupported);
  for (cudaGraphExec_t each : {executable, second}) {
    CUDA_OK(cudaGraphLaunch(each, nullptr));
    CUDA_OK(cudaDeviceSynchronize());
  }
  CUDA_OK(cudaGraphExecDestroy(executable));
  CHECK_EQ(cudaGraphExecUpdate(second, graph, &info), cudaErrorGraphExecUpdateFailure);
  CHECK_EQ(cudaGraphExecUpdate(second, other, &info), cudaSuccess);
  CUDA_OK(cudaGraphExecDestroy(second));
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaGraphDestroy(other));
}

// Direction names a kind, and whether copies to a variable and from one may have it.
struct Direction {
  cudaMemcpyKind kind;
  bool to, from;
};
constexpr Direction directions[] = {
    {cudaMemcpyHostToHost, false, false}, {cudaMemcpyHostToDevice, true, false}, {cudaMemcpyDeviceToHost, false, true}};

void symbols() {
  const cudaGraph_t graph = newGraph();
  check::DeviceArray<float> onDevice(64, 0);
  cudaGraphNode_t to, from, node;
  CUDA_OK(cudaGraphAddMemcpyNodeToSymbol(&to, graph, nullptr, 0, variable, host, 64, 0, cudaMemcpyHostToDevice));
  CUDA_OK(cudaGraphAddMemcpyNodeFromSymbol(&from, graph, nullptr, 0, host, variable, 64, 0, cudaMemcpyDeviceToHost));
  const cudaGraphExec_t executable = instantiated(graph);
  for (float *place : {host, onDevice.get(), static_cast<float *>(nullptr)})
    for (const Direction &each : directions) {
      const cudaError_t there = place ? cudaSuccess : cudaErrorInvalidValue;
      const cudaError_t toAnswer = each.to ? there : cudaErrorInvalidMemcpyDirection;
      const cudaError_t fromAnswer = each.from ? there : cudaErrorInvalidMemcpyDirection;
      const cudaMemcpyKind kind = each.kind;
      CHECK_EQ(cudaGraphAddMemcpyNodeToSymbol(&node, graph, nullptr, 0, variable, place, 64, 0, kind), toAnswer);
      CHECK_EQ(cudaGraphAddMemcpyNodeFromSymbol(&node, graph, nullptr, 0, place, variable, 64, 0, kind), fromAnswer);
      CHECK_EQ(cudaGraphMemcpyNodeSetParamsToSymbol(to, variable, place, 64, 0, kind), toAnswer);
      CHECK_EQ(cudaGraphMemcpyNodeSetParamsFromSymbol(from, place, variable, 64, 0, kind), fromAnswer);
      CHECK_EQ(cudaGraphExecMemcpyNodeSetParamsToSymbol(executable, to, variable, place, 64, 0, kind), toAnswer);
      CHECK_EQ(cudaGraphExecMemcpyNodeSetParamsFromSymbol(executable, from, place, variable, 64, 0, kind), fromAnswer);
    }
  // The place in the variable is looked at before the direction.
  CHECK_EQ(cudaGraphAddMemcpyNodeToSymbol(&node, graph, nullptr, 0, variable, host, 64, 250, cudaMemcpyDeviceToHost),
           cudaErrorInvalidValue);
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaGraphDestroy(graph));
}

}  // namespace

int main() {
  arrays();
  memoryNodes();
  symbols();
  (void)cudaGetLastError();
  return check::finish();
}
