// What an update of an executable graph may not change: kernels that come to launch kernels or graphs, priorities of
// nodes, nodes that kernels may change; flags; the node of a cycle.
// options: -rdc=true -lcudadevrt
#include "../check.h"

__global__ void set(int *p) { *p = 1; }
__global__ void plain(int *p, cudaGraphExec_t) { *p = 1; }
__global__ void launching(int *p, cudaGraphExec_t graph) { *p = cudaGraphLaunch(graph, cudaStreamGraphFireAndForget); }
__global__ void parent(int *p, cudaGraphExec_t) { set<<<1, 1>>>(p); }

namespace {

int *memory;
cudaGraphExec_t none = nullptr;

cudaGraphNode_t nodeOf(cudaGraph_t graph) {
  cudaGraphNode_t node;
  size_t count = 1;
  CUDA_OK(cudaGraphGetNodes(graph, &node, &count));
  return node;
}

cudaKernelNodeParams paramsOf(void (*kernel)(int *, cudaGraphExec_t)) {
  static void *arguments[] = {&memory, &none};
  cudaKernelNodeParams params = {};
  params.func = (void *)kernel;
  params.gridDim = params.blockDim = 1;
  params.kernelParams = arguments;
  return params;
}

cudaGraph_t graphOf(void (*kernel)(int *, cudaGraphExec_t)) {
  cudaGraph_t graph;
  cudaGraphNode_t node;
  const cudaKernelNodeParams params = paramsOf(kernel);
  CUDA_OK(cudaGraphCreate(&graph, 0));
  CUDA_OK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  return graph;
}

cudaGraphExec_t executableOf(cudaGraph_t graph, unsigned long long flags = 0) {
  cudaGraphExec_t executable;
  CUDA_OK(cudaGraphInstantiate(&executable, graph, flags));
  return executable;
}

void checkUpdate(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphExecUpdateResult expected, int line) {
  cudaGraphExecUpdateResultInfo info = {};
  const bool fails = expected != cudaGraphExecUpdateSuccess;
  const cudaError_t error = cudaGraphExecUpdate(executable, graph, &info);
  check::equal(error, fails ? cudaErrorGraphExecUpdateFailure : cudaSuccess, "the update", __FILE__, line);
  check::equal(info.result, expected, "its result", __FILE__, line);
  CUDA_OK(cudaGraphExecDestroy(executable));
}
#define CHECK_UPDATE(executable, graph, expected) checkUpdate(executable, graph, expected, __LINE__)

void checkSet(void (*to)(int *, cudaGraphExec_t), cudaError_t expected, int line) {
  const cudaGraph_t graph = graphOf(plain);
  const cudaGraphExec_t executable = executableOf(graph);
  const cudaKernelNodeParams params = paramsOf(to);
  check::equal(cudaGraphExecKernelNodeSetParams(executable, nodeOf(graph), &params), expected, "new parameters",
               __FILE__, line);
}

void kernels() {
  const auto refused = cudaGraphExecUpdateErrorUnsupportedFunctionChange;
  CHECK_UPDATE(executableOf(graphOf(plain)), graphOf(launching), refused);
  CHECK_UPDATE(executableOf(graphOf(plain)), graphOf(parent), refused);
  CHECK_UPDATE(executableOf(graphOf(launching)), graphOf(plain), cudaGraphExecUpdateSuccess);
  CHECK_UPDATE(executableOf(graphOf(parent)), graphOf(plain), cudaGraphExecUpdateSuccess);
  CHECK_UPDATE(executableOf(graphOf(plain), cudaGraphInstantiateFlagDeviceLaunch), graphOf(launching),
               cudaGraphExecUpdateSuccess);
  checkSet(plain, cudaSuccess, __LINE__);
  checkSet(launching, cudaErrorInvalidValue, __LINE__);
  checkSet(parent, cudaErrorInvalidValue, __LINE__);
}

cudaGraph_t withPriority(int priority) {
  const cudaGraph_t graph = graphOf(plain);
  cudaLaunchAttributeValue value = {};
  value.priority = priority;
  CUDA_OK(cudaGraphKernelNodeSetAttribute(nodeOf(graph), cudaLaunchAttributePriority, &value));
  return graph;
}

void priorities() {
  const auto own = cudaGraphInstantiateFlagUseNodePriority;
  CHECK_UPDATE(executableOf(withPriority(0)), withPriority(-2), cudaGraphExecUpdateSuccess);
  CHECK_UPDATE(executableOf(withPriority(-2), own), withPriority(-2), cudaGraphExecUpdateSuccess);
  CHECK_UPDATE(executableOf(withPriority(0), own), withPriority(-2), cudaGraphExecUpdateErrorAttributesChanged);
}

void flags() {
  cudaGraphInstantiateParams params = {};
  cudaGraphExec_t executable;
  unsigned long long known = 99;
  params.flags = cudaGraphInstantiateFlagUpload | cudaGraphInstantiateFlagDeviceLaunch;
  CUDA_OK(cudaGraphInstantiateWithParams(&executable, graphOf(plain), &params));
  CUDA_OK(cudaGraphExecGetFlags(executable, &known));
  CHECK_EQ(known, (unsigned long long)cudaGraphInstantiateFlagDeviceLaunch);
}

void cycle() {
  cudaGraph_t graph;
  cudaGraphNode_t first, second, third, behind;
  CUDA_OK(cudaGraphCreate(&graph, 0));
  CUDA_OK(cudaGraphAddEmptyNode(&first, graph, nullptr, 0));
  CUDA_OK(cudaGraphAddEmptyNode(&second, graph, &first, 1));
  CUDA_OK(cudaGraphAddEmptyNode(&third, graph, &second, 1));
  CUDA_OK(cudaGraphAddEmptyNode(&behind, graph, &third, 1));
  CUDA_OK(cudaGraphAddDependencies(graph, &third, &second, nullptr, 1));
  cudaGraphInstantiateParams params = {};
  cudaGraphExec_t executable;
  CHECK_EQ(cudaGraphInstantiateWithParams(&executable, graph, &params), cudaErrorInvalidValue);
  CHECK_EQ(params.result_out, cudaGraphInstantiateInvalidStructure);
  CHECK(params.errNode_out == second || params.errNode_out == third);
}

void changedByKernels() {
  const cudaGraph_t graph = graphOf(plain);
  cudaGraphNode_t other;
  const cudaKernelNodeParams same = paramsOf(plain);
  CUDA_OK(cudaGraphAddKernelNode(&other, graph, nullptr, 0, &same));
  cudaGraphNode_t nodes[2];
  size_t count = 2;
  CUDA_OK(cudaGraphGetNodes(graph, nodes, &count));
  cudaLaunchAttributeValue value = {};
  value.deviceUpdatableKernelNode.deviceUpdatable = 2;
  const auto id = cudaLaunchAttributeDeviceUpdatableKernelNode;
  CHECK_EQ(cudaGraphKernelNodeSetAttribute(nodes[0], id, &value), cudaErrorInvalidValue);
  value.deviceUpdatableKernelNode.deviceUpdatable = 1;
  CUDA_OK(cudaGraphKernelNodeSetAttribute(nodes[0], id, &value));
  CHECK(cudaGraphDestroyNode(nodes[0]) != cudaSuccess);
  CHECK(cudaGraphKernelNodeCopyAttributes(nodes[1], nodes[0]) != cudaSuccess);
  CHECK(cudaGraphKernelNodeCopyAttributes(nodes[0], nodes[1]) != cudaSuccess);
  const cudaGraphExec_t executable = executableOf(graph);
  cudaGraphExec_t second;
  CHECK(cudaGraphInstantiate(&second, graph, 0) != cudaSuccess);
  cudaGraphExecUpdateResultInfo info;
  CHECK_EQ(cudaGraphExecUpdate(executable, graph, &info), cudaErrorNotSupported);
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaGraphInstantiate(&second, graph, 0));
}

}  // namespace

int main() {
  CUDA_OK(cudaMalloc(&memory, sizeof(int)));
  kernels();
  priorities();
  flags();
  cycle();
  changedByKernels();
  return check::finish();
}
