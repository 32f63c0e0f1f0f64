// A graph built node by node: copies, fills, kernels and a host function run in the order of the edges, at each launch.
#include "../check.h"

__global__ void scale(int *data, int factor, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] *= factor;
}
__global__ void addFilled(int *data, const int *filled, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] += filled[i];
}

constexpr int count = 1000;

struct Summed {
  const int *values;
  long long sum;
  int calls;
};

void CUDART_CB addUp(void *data) {
  auto *summed = static_cast<Summed *>(data);
  for (int i = 0; i < count; ++i) summed->sum += summed->values[i];
  ++summed->calls;
}

cudaGraphNode_t addCopy(cudaGraph_t graph, void *to, const void *from, cudaMemcpyKind kind, cudaGraphNode_t after) {
  cudaMemcpy3DParms params = {};
  params.dstPtr = make_cudaPitchedPtr(to, count * sizeof(int), count, 1);
  params.srcPtr = make_cudaPitchedPtr(const_cast<void *>(from), count * sizeof(int), count, 1);
  params.extent = make_cudaExtent(count * sizeof(int), 1, 1);
  params.kind = kind;
  cudaGraphNode_t node;
  CUDA_OK(cudaGraphAddMemcpyNode(&node, graph, after ? &after : nullptr, after ? 1 : 0, &params));
  return node;
}

cudaGraphNode_t addKernel(cudaGraph_t graph, void *kernel, void **arguments, const cudaGraphNode_t *after, size_t n) {
  cudaKernelNodeParams params = {};
  params.func = kernel;
  params.gridDim = dim3((count + 127) / 128);
  params.blockDim = dim3(128);
  params.kernelParams = arguments;
  cudaGraphNode_t node;
  CUDA_OK(cudaGraphAddKernelNode(&node, graph, after, n, &params));
  return node;
}

int main() {
  int *in, *out;
  CUDA_OK(cudaMallocHost(&in, count * sizeof(int)));
  CUDA_OK(cudaMallocHost(&out, count * sizeof(int)));
  check::DeviceArray<int> data(count), filled(count);
  for (int i = 0; i < count; ++i) in[i] = i;

  cudaGraph_t graph;
  CUDA_OK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t upload = addCopy(graph, data.get(), in, cudaMemcpyHostToDevice, nullptr);
  cudaMemsetParams fill = {};
  fill.dst = filled.get();
  fill.value = 7;
  fill.elementSize = 4;
  fill.width = count;
  fill.height = 1;
  cudaGraphNode_t filling;
  CUDA_OK(cudaGraphAddMemsetNode(&filling, graph, nullptr, 0, &fill));
  int *dataPointer = data.get(), *filledPointer = filled.get(), factor = 3, n = count;
  void *scaleArguments[] = {&dataPointer, &factor, &n};
  cudaGraphNode_t scaled = addKernel(graph, reinterpret_cast<void *>(scale), scaleArguments, &upload, 1);
  factor = 1000;  // arguments were copied when the node was made
  const cudaGraphNode_t both[] = {scaled, filling};
  void *addArguments[] = {&dataPointer, &filledPointer, &n};
  cudaGraphNode_t added = addKernel(graph, reinterpret_cast<void *>(addFilled), addArguments, both, 2);
  cudaGraphNode_t download = addCopy(graph, out, data.get(), cudaMemcpyDeviceToHost, added);
  Summed summed = {out, 0, 0};
  cudaHostNodeParams host = {addUp, &summed};
  cudaGraphNode_t hostNode;
  CUDA_OK(cudaGraphAddHostNode(&hostNode, graph, &download, 1, &host));

  cudaGraphExec_t executable;
  CUDA_OK(cudaGraphInstantiate(&executable, graph, 0));
  CUDA_OK(cudaGraphDestroy(graph));  // the executable is a snapshot
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  for (int round = 0; round < 5; ++round) {
    CUDA_OK(cudaGraphLaunch(executable, stream));
    CUDA_OK(cudaStreamSynchronize(stream));
    for (int i = 0; i < count; ++i) CHECK_EQ(out[i], 3 * in[i] + 7);
    for (int i = 0; i < count; ++i) in[i] += round;  // the next launch copies what is there then
  }
  CHECK_EQ(summed.calls, 5);
  CUDA_OK(cudaGraphUpload(executable, stream));
  CUDA_OK(cudaGraphLaunch(executable, stream));
  CUDA_OK(cudaGraphLaunch(executable, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  CHECK_EQ(summed.calls, 7);
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaStreamDestroy(stream));
  CUDA_OK(cudaFreeHost(in));
  CUDA_OK(cudaFreeHost(out));
  return check::finish();
}
