// Executables change: one node at a time, by a whole graph, by switching nodes off. Launches before keep what they had.
#include "../check.h"

__global__ void store(int *where, int value) { *where = value; }
__global__ void addTo(int *where, int value) { *where += value; }

cudaKernelNodeParams kernel(void (*function)(int *, int), void **arguments) {
  cudaKernelNodeParams params = {};
  params.func = reinterpret_cast<void *>(function);
  params.gridDim = dim3(1);
  params.blockDim = dim3(1);
  params.kernelParams = arguments;
  return params;
}

struct Built {
  cudaGraph_t graph;
  cudaGraphNode_t storing, adding, copying;
};

// build() makes store(value), then addTo(amount), then a copy to `out`.
Built build(int *data, int value, int amount, int *out) {
  Built built;
  CUDA_OK(cudaGraphCreate(&built.graph, 0));
  void *storeArguments[] = {&data, &value};
  void *addArguments[] = {&data, &amount};
  cudaKernelNodeParams storing = kernel(store, storeArguments), adding = kernel(addTo, addArguments);
  CUDA_OK(cudaGraphAddKernelNode(&built.storing, built.graph, nullptr, 0, &storing));
  CUDA_OK(cudaGraphAddKernelNode(&built.adding, built.graph, &built.storing, 1, &adding));
  CUDA_OK(cudaGraphAddMemcpyNode1D(&built.copying, built.graph, &built.adding, 1, out, data, sizeof(int),
                                   cudaMemcpyDeviceToHost));
  return built;
}

struct Program {
  cudaStream_t stream;
  check::DeviceArray<int> data{1, 0};
  int *out;
  Built built;
  cudaGraphExec_t executable;
  // What the arguments of changed kernels point at.
  int *pointer = data.get();
  int value = 2;
  void *arguments[2] = {&pointer, &value};

  Program() {
    CUDA_OK(cudaStreamCreate(&stream));
    CUDA_OK(cudaMallocHost(&out, 2 * sizeof(int)));
    built = build(data.get(), 1, 10, out);
    CUDA_OK(cudaGraphInstantiate(&executable, built.graph, 0));
  }
  ~Program() {
    CUDA_OK(cudaGraphExecDestroy(executable));
    CUDA_OK(cudaGraphDestroy(built.graph));
    CUDA_OK(cudaFreeHost(out));
    CUDA_OK(cudaStreamDestroy(stream));
  }
  // launched() is what one launch leaves in out[0].
  int launched() {
    CUDA_OK(cudaGraphLaunch(executable, stream));
    CUDA_OK(cudaStreamSynchronize(stream));
    return out[0];
  }
  void oneNode();
  void wholeGraph();
  void switchedOff();
  void copies();
  void queued();
  void definition();
};

// One node's arguments, and its function.
void Program::oneNode() {
  cudaKernelNodeParams changed = kernel(store, arguments);
  CUDA_OK(cudaGraphExecKernelNodeSetParams(executable, built.storing, &changed));
  CHECK_EQ(launched(), 12);
  changed = kernel(addTo, arguments);
  CUDA_OK(cudaGraphExecKernelNodeSetParams(executable, built.storing, &changed));
  CHECK_EQ(launched(), 12 + 2 + 10);
}

// A graph of the same shape; the one that was instantiated is not touched.
void Program::wholeGraph() {
  Built other = build(data.get(), 100, 1000, out);
  cudaGraphExecUpdateResultInfo info = {};
  CUDA_OK(cudaGraphExecUpdate(executable, other.graph, &info));
  CHECK_EQ(info.result, cudaGraphExecUpdateSuccess);
  CHECK_EQ(launched(), 1100);
  CUDA_OK(cudaGraphDestroy(other.graph));
}

// onlyWork(): nodes of other kinds cannot be switched off, and do not tell.
static void onlyWork() {
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaGraphExec_t instance;
  unsigned enabled = 2;
  CUDA_OK(cudaGraphCreate(&graph, 0));
  CUDA_OK(cudaGraphAddEmptyNode(&node, graph, nullptr, 0));
  CUDA_OK(cudaGraphInstantiate(&instance, graph, 0));
  CHECK_EQ(cudaGraphNodeSetEnabled(instance, node, 0), cudaErrorInvalidValue);
  CHECK_EQ(cudaGraphNodeGetEnabled(instance, node, &enabled), cudaErrorInvalidValue);
  CHECK_EQ(enabled, 2);
  CUDA_OK(cudaGraphExecDestroy(instance));
  CUDA_OK(cudaGraphDestroy(graph));
  (void)cudaGetLastError();
}

// Nodes can be off; a change while off counts when they are on again.
void Program::switchedOff() {
  unsigned enabled = 2;
  CUDA_OK(cudaGraphNodeGetEnabled(executable, built.adding, &enabled));
  CHECK_EQ(enabled, 1);
  CUDA_OK(cudaGraphNodeSetEnabled(executable, built.adding, 0));
  CHECK_EQ(launched(), 100);
  value = 7;
  cudaKernelNodeParams changed = kernel(addTo, arguments);
  CUDA_OK(cudaGraphExecKernelNodeSetParams(executable, built.adding, &changed));
  CUDA_OK(cudaGraphNodeGetEnabled(executable, built.adding, &enabled));
  CHECK_EQ(enabled, 0);
  CHECK_EQ(launched(), 100);
  CUDA_OK(cudaGraphNodeSetEnabled(executable, built.adding, 1));
  CHECK_EQ(launched(), 107);
  onlyWork();
}

// Copies may get other addresses, not other sides.
void Program::copies() {
  out[1] = 0;
  CUDA_OK(cudaGraphExecMemcpyNodeSetParams1D(executable, built.copying, out + 1, data.get(), sizeof(int),
                                             cudaMemcpyDeviceToHost));
  launched();
  CHECK_EQ(out[1], 107);
  CHECK_EQ(cudaGraphExecMemcpyNodeSetParams1D(executable, built.copying, out + 1, data.get(), sizeof(int),
                                              cudaMemcpyDefault),
           cudaErrorInvalidValue);  // the kind stays, too
  (void)cudaGetLastError();
}

// Launches that are queued already keep their parameters.
void Program::queued() {
  cudaKernelNodeParams changed = kernel(addTo, arguments);
  CUDA_OK(cudaGraphExecMemcpyNodeSetParams1D(executable, built.copying, out, data.get(), sizeof(int),
                                             cudaMemcpyDeviceToHost));
  check::DeviceArray<int> sums(4, 0);
  CUDA_OK(cudaGraphNodeSetEnabled(executable, built.copying, 0));
  CUDA_OK(cudaGraphNodeSetEnabled(executable, built.storing, 0));
  for (int i = 0; i < 4; ++i) {
    pointer = sums.get() + i;
    value = i + 1;
    CUDA_OK(cudaGraphExecKernelNodeSetParams(executable, built.adding, &changed));
    CUDA_OK(cudaGraphLaunch(executable, stream));
  }
  CUDA_OK(cudaStreamSynchronize(stream));
  for (int i = 0; i < 4; ++i) CHECK_EQ(sums.download()[i], i + 1);
}

// The definition has kept its own parameters all the time, and can be changed itself.
void Program::definition() {
  cudaKernelNodeParams params = {};
  CUDA_OK(cudaGraphKernelNodeGetParams(built.storing, &params));
  CHECK(params.func == reinterpret_cast<void *>(store));
  CHECK_EQ(*static_cast<int *>(params.kernelParams[1]), 1);
  CHECK_EQ(params.blockDim.x, 1);
  cudaMemcpy3DParms copy = {};
  CUDA_OK(cudaGraphMemcpyNodeGetParams(built.copying, &copy));
  CHECK(copy.dstPtr.ptr == out);
  CHECK_EQ(copy.extent.width, sizeof(int));
  pointer = data.get();
  value = 5;
  cudaKernelNodeParams changed = kernel(store, arguments);
  CUDA_OK(cudaGraphKernelNodeSetParams(built.storing, &changed));
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaGraphInstantiate(&executable, built.graph, 0));
  CHECK_EQ(launched(), 15);
}

int main() {
  {
    Program program;
    CHECK_EQ(program.launched(), 11);
    program.oneNode();
    program.wholeGraph();
    program.switchedOff();
    program.copies();
    program.queued();
    program.definition();
  }
  return check::finish();
}
