// A captured allocation keeps who could use its pool's memory when it was captured; a node's description of who may
// use its memory can be read back.
#include <stdlib.h>

#include "../conformance/check.h"

static cudaMemAllocNodeParams captured(cudaStream_t stream, cudaMemPool_t pool) {
  void *memory;
  cudaGraph_t graph;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMallocFromPoolAsync(&memory, 1000, pool, stream);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphNode_t node;
  size_t count = 1;
  cudaGraphGetNodes(graph, &node, &count);
  cudaMemAllocNodeParams params = {};
  cudaGraphMemAllocNodeGetParams(node, &params);
  return params;
}

int main() {
  setenv("HOSTWARP_DEVICES", "h100:2", 1);
  int devices = 0;
  CUDA_OK(cudaGetDeviceCount(&devices));
  if (devices < 2) return check::finish();  // another CUDA, with one GPU
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t pool;
  cudaMemPoolCreate(&pool, &properties);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  CHECK(captured(stream, pool).accessDescCount == 0);
  const cudaMemAccessDesc other = {{cudaMemLocationTypeDevice, 1}, cudaMemAccessFlagsProtReadWrite};
  CHECK(cudaMemPoolSetAccess(pool, &other, 1) == cudaSuccess);
  const cudaMemAllocNodeParams params = captured(stream, pool);
  CHECK(params.accessDescCount == 1 && params.accessDescs[0].location.id == 1);

  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t node;
  cudaMemAllocNodeParams given = {}, read = {};
  given.poolProps = properties;
  given.bytesize = 1000;
  {
    cudaMemAccessDesc access = other;
    given.accessDescs = &access;
    given.accessDescCount = 1;
    CHECK(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &given) == cudaSuccess);
    access.location.id = 9;
  }
  CHECK(cudaGraphMemAllocNodeGetParams(node, &read) == cudaSuccess);
  CHECK(read.accessDescCount == 1 && read.accessDescs[0].location.id == 1);
  (void)cudaGetLastError();
  return check::finish();
}
