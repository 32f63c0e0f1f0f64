// Conditional nodes: if, if-else, while and switch, with values that kernels set.
#include "../check.h"

__global__ void setFrom(cudaGraphConditionalHandle handle, const int *value) {
  cudaGraphSetConditional(handle, *value);
}
__global__ void addTo(int *where, int amount) { *where += amount; }
__global__ void countDown(int *left, int *turns, cudaGraphConditionalHandle handle) {
  *turns += 1;
  *left -= 1;
  cudaGraphSetConditional(handle, *left > 0);
}

struct Conditional {
  cudaGraph_t graph;
  cudaGraphConditionalHandle handle;
  cudaGraphNode_t setter, node;
  std::vector<cudaGraph_t> bodies;
};

cudaGraphNode_t addKernel(cudaGraph_t graph, void *function, void **arguments) {
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeKernel;
  params.kernel.func = function;
  params.kernel.gridDim = dim3(1);
  params.kernel.blockDim = dim3(1);
  params.kernel.kernelParams = arguments;
  cudaGraphNode_t node;
  CUDA_OK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
  return node;
}

// make() builds: set the handle from *value, then the conditional node.
Conditional make(cudaGraphConditionalNodeType type, unsigned size, int *value) {
  Conditional made = {};
  CUDA_OK(cudaGraphCreate(&made.graph, 0));
  CUDA_OK(cudaGraphConditionalHandleCreate(&made.handle, made.graph, 0, cudaGraphCondAssignDefault));
  void *arguments[] = {&made.handle, &value};
  made.setter = addKernel(made.graph, reinterpret_cast<void *>(setFrom), arguments);
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = made.handle;
  params.conditional.type = type;
  params.conditional.size = size;
  CUDA_OK(cudaGraphAddNode(&made.node, made.graph, &made.setter, nullptr, 1, &params));
  made.bodies.assign(params.conditional.phGraph_out, params.conditional.phGraph_out + size);
  return made;
}

// run() launches the graph with *value set.
void run(Conditional &conditional, int *value, std::vector<int> settings) {
  cudaGraphExec_t executable;
  CUDA_OK(cudaGraphInstantiate(&executable, conditional.graph, 0));
  for (int setting : settings) {
    CUDA_OK(cudaMemcpy(value, &setting, sizeof(int), cudaMemcpyHostToDevice));
    CUDA_OK(cudaGraphLaunch(executable, nullptr));
    CUDA_OK(cudaDeviceSynchronize());
  }
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaGraphDestroy(conditional.graph));
}

// refusals() is what cannot be: a handle for two nodes, sizes that a kind does not have, bodies that need the host.
static void refusals() {
  cudaGraph_t graph;
  CUDA_OK(cudaGraphCreate(&graph, 0));
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.type = cudaGraphCondTypeWhile;
  params.conditional.size = 2;
  CUDA_OK(cudaGraphConditionalHandleCreate(&params.conditional.handle, graph, 0, 0));
  cudaGraphNode_t node;
  CHECK_EQ(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params), cudaErrorInvalidValue);
  params.conditional.size = 1;
  CUDA_OK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
  CHECK_EQ(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params), cudaErrorInvalidValue);
  // Nor can a graph with conditional nodes be copied, into a child either.
  cudaGraph_t parent, copy;
  CUDA_OK(cudaGraphCreate(&parent, 0));
  CHECK_EQ(cudaGraphClone(&copy, graph), cudaErrorNotSupported);
  CHECK_EQ(cudaGraphAddChildGraphNode(&node, parent, nullptr, 0, graph), cudaErrorNotSupported);
  CUDA_OK(cudaGraphDestroy(parent));
  CUDA_OK(cudaGraphDestroy(graph));
}

// What only the host can do has no place in a body, nor have copies of memory that the device does not reach.
static void bodies() {
  static int pageable[4];
  check::DeviceArray<int> target(4, 0);
  for (const bool copies : {true, false}) {
    int *unused = target.get();
    Conditional conditional = make(cudaGraphCondTypeIf, 1, unused);
    cudaGraphNode_t node;
    cudaHostNodeParams host = {[](void *) {}, nullptr};
    if (copies)
      CUDA_OK(cudaGraphAddMemcpyNode1D(&node, conditional.bodies[0], nullptr, 0, target.get(), pageable, 16,
                                       cudaMemcpyHostToDevice));
    else
      CUDA_OK(cudaGraphAddHostNode(&node, conditional.bodies[0], nullptr, 0, &host));
    cudaGraphExec_t executable;
    CHECK_EQ(cudaGraphInstantiate(&executable, conditional.graph, 0), cudaErrorInvalidValue);
    CUDA_OK(cudaGraphDestroy(conditional.graph));
  }
}

// A node in a body may have a handle of the graph outside.
static void nested(int *value, int *sum) {
  Conditional outer = make(cudaGraphCondTypeIf, 1, value);
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.type = cudaGraphCondTypeIf;
  params.conditional.size = 1;
  CUDA_OK(cudaGraphConditionalHandleCreate(&params.conditional.handle, outer.graph, 1, cudaGraphCondAssignDefault));
  cudaGraphNode_t node;
  CUDA_OK(cudaGraphAddNode(&node, outer.bodies[0], nullptr, nullptr, 0, &params));
  CHECK_EQ(cudaGraphAddNode(&node, outer.bodies[0], nullptr, nullptr, 0, &params), cudaErrorInvalidValue);
  int amount = 1;
  void *arguments[] = {&sum, &amount};
  addKernel(params.conditional.phGraph_out[0], reinterpret_cast<void *>(addTo), arguments);
  run(outer, value, {1, 0, 1});
}

int main() {
  check::DeviceArray<int> value(1, 0), sums(8, 0);
  int *sum = sums.get(), *current = value.get();
  int amount = 1;
  void *arguments[] = {&sum, &amount};

  Conditional once = make(cudaGraphCondTypeIf, 1, current);
  addKernel(once.bodies[0], reinterpret_cast<void *>(addTo), arguments);
  run(once, current, {1, 0, 5, 0, 0});
  CHECK_EQ(sums.download()[0], 2);

  Conditional either = make(cudaGraphCondTypeIf, 2, current);
  sum = sums.get() + 1;
  addKernel(either.bodies[0], reinterpret_cast<void *>(addTo), arguments);
  amount = 100;
  addKernel(either.bodies[1], reinterpret_cast<void *>(addTo), arguments);
  run(either, current, {1, 0, 1, 1, 0});
  CHECK_EQ(sums.download()[1], 203);

  Conditional choice = make(cudaGraphCondTypeSwitch, 3, current);
  for (int i = 0; i < 3; ++i) {
    sum = sums.get() + 2 + i;
    amount = 1;
    addKernel(choice.bodies[i], reinterpret_cast<void *>(addTo), arguments);
  }
  run(choice, current, {0, 2, 2, 7, 1, 2});
  CHECK_EQ(sums.download()[2], 1);
  CHECK_EQ(sums.download()[3], 1);
  CHECK_EQ(sums.download()[4], 3);

  // The body of a loop is captured from a stream; it ends the loop by the value that it sets.
  Conditional loop = make(cudaGraphCondTypeWhile, 1, current);
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  CUDA_OK(cudaStreamBeginCaptureToGraph(stream, loop.bodies[0], nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
  countDown<<<1, 1, 0, stream>>>(value.get(), sums.get() + 5, loop.handle);
  CUDA_OK(cudaStreamEndCapture(stream, nullptr));
  CUDA_OK(cudaStreamDestroy(stream));
  run(loop, current, {10, 0, 25, 1});
  CHECK_EQ(sums.download()[5], 36);

  nested(current, sums.get() + 6);
  CHECK_EQ(sums.download()[6], 2);

  refusals();
  bodies();
  (void)cudaGetLastError();
  return check::finish();
}
