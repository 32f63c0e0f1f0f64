// The generic functions: nodes of every kind made from one structure, and parameters handed back as they were given.
#include "../check.h"

__global__ void add(int *data, int amount) { *data += amount; }
void CUDART_CB increment(void *counter) { ++*static_cast<int *>(counter); }

struct Program {
  check::DeviceArray<int> data{4, 0};
  int *pointer = data.get(), amount = 5, calls = 0;
  int out[2] = {};
  cudaGraph_t graph;
  cudaGraphNode_t fill, kernel, copy, host, empty;

  Program() { CUDA_OK(cudaGraphCreate(&graph, 0)); }
  ~Program() { CUDA_OK(cudaGraphDestroy(graph)); }
  void make();
  void ask();
  void attributes();
  void launch();
};

void Program::make() {
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeMemset;
  params.memset.dst = pointer;
  params.memset.value = 0x01020304;
  params.memset.elementSize = 4;
  params.memset.width = 4;
  params.memset.height = 1;
  CUDA_OK(cudaGraphAddNode(&fill, graph, nullptr, nullptr, 0, &params));

  params = {};
  params.type = cudaGraphNodeTypeKernel;
  void *arguments[] = {&pointer, &amount};
  params.kernel.func = reinterpret_cast<void *>(add);
  params.kernel.gridDim = dim3(1);
  params.kernel.blockDim = dim3(1);
  params.kernel.kernelParams = arguments;
  CUDA_OK(cudaGraphAddNode(&kernel, graph, &fill, nullptr, 1, &params));

  params = {};
  params.type = cudaGraphNodeTypeMemcpy;
  params.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(out, sizeof out, 2, 1);
  params.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(pointer, sizeof out, 2, 1);
  params.memcpy.copyParams.extent = make_cudaExtent(sizeof out, 1, 1);
  params.memcpy.copyParams.kind = cudaMemcpyDeviceToHost;
  CUDA_OK(cudaGraphAddNode(&copy, graph, &kernel, nullptr, 1, &params));

  params = {};
  params.type = cudaGraphNodeTypeHost;
  params.host.fn = increment;
  params.host.userData = &calls;
  CUDA_OK(cudaGraphAddNode(&host, graph, &copy, nullptr, 1, &params));

  params = {};
  params.type = cudaGraphNodeTypeEmpty;
  CUDA_OK(cudaGraphAddNode(&empty, graph, &host, nullptr, 1, &params));
}

void Program::ask() {
  const cudaGraphNode_t nodes[] = {fill, kernel, copy, host, empty};
  const cudaGraphNodeType types[] = {cudaGraphNodeTypeMemset, cudaGraphNodeTypeKernel, cudaGraphNodeTypeMemcpy,
                                     cudaGraphNodeTypeHost, cudaGraphNodeTypeEmpty};
  for (int i = 0; i < 5; ++i) {
    cudaGraphNodeType type;
    CUDA_OK(cudaGraphNodeGetType(nodes[i], &type));
    CHECK_EQ(type, types[i]);
  }
  cudaMemsetParams given = {};
  CUDA_OK(cudaGraphMemsetNodeGetParams(fill, &given));
  CHECK_EQ(given.value, 0x01020304);
  CHECK_EQ(given.width, 4);
  cudaHostNodeParams function = {};
  CUDA_OK(cudaGraphHostNodeGetParams(host, &function));
  CHECK(function.fn == increment && function.userData == &calls);
  CHECK_EQ(cudaGraphHostNodeGetParams(fill, &function), cudaErrorInvalidValue);
}

// Attributes of kernel nodes, and copying them to another one.
void Program::attributes() {
  cudaLaunchAttributeValue value = {};
  value.priority = -1;
  CUDA_OK(cudaGraphKernelNodeSetAttribute(kernel, cudaLaunchAttributePriority, &value));
  value = {};
  CUDA_OK(cudaGraphKernelNodeGetAttribute(kernel, cudaLaunchAttributePriority, &value));
  CHECK_EQ(value.priority, -1);
  value = {};
  CUDA_OK(cudaGraphKernelNodeGetAttribute(kernel, cudaLaunchAttributeCooperative, &value));
  CHECK_EQ(value.cooperative, 0);
}

void Program::launch() {
  cudaGraphExec_t executable;
  CUDA_OK(cudaGraphInstantiate(&executable, graph, cudaGraphInstantiateFlagUseNodePriority));
  CUDA_OK(cudaGraphLaunch(executable, nullptr));
  CUDA_OK(cudaDeviceSynchronize());
  CHECK_EQ(out[0], 0x01020304 + 5);
  CHECK_EQ(out[1], 0x01020304);
  CHECK_EQ(calls, 1);

  // The generic functions change nodes, too, but not into another kind.
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeMemset;
  params.memset = {pointer, 0, 7, 4, 4, 1};
  CUDA_OK(cudaGraphExecNodeSetParams(executable, fill, &params));
  CUDA_OK(cudaGraphLaunch(executable, nullptr));
  CUDA_OK(cudaDeviceSynchronize());
  CHECK_EQ(out[0], 12);
  CUDA_OK(cudaGraphNodeSetParams(fill, &params));
  cudaMemsetParams given = {};
  CUDA_OK(cudaGraphMemsetNodeGetParams(fill, &given));
  CHECK_EQ(given.value, 7);
  CHECK_EQ(cudaGraphNodeSetParams(kernel, &params), cudaErrorInvalidValue);
  CUDA_OK(cudaGraphExecDestroy(executable));
}

int main() {
  {
    Program program;
    program.make();
    program.ask();
    program.attributes();
    program.launch();
  }
  (void)cudaGetLastError();
  return check::finish();
}
