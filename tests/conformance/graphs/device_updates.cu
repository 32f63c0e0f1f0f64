// options: -rdc=true -lcudadevrt
// Kernel nodes that kernels change: parameters, grid, whether they run at all, alone and several at a time.
#include "../check.h"

__global__ void add(int *sum, int value) { atomicAdd(sum, value); }

__global__ void change(cudaGraphDeviceNode_t node, int step, int *errors, cudaGraphKernelNodeUpdate *updates) {
  int value = 100;
  cudaError_t error = cudaSuccess;
  if (step == 1) error = cudaGraphKernelNodeSetParam(node, sizeof(int *), value);
  if (step == 2) error = cudaGraphKernelNodeSetGridDim(node, dim3(5));
  if (step == 3) error = cudaGraphKernelNodeSetEnabled(node, false);
  if (step == 4) {
    value = 7;
    updates[0].node = updates[1].node = updates[2].node = node;
    updates[0].field = cudaGraphKernelNodeFieldEnabled;
    updates[0].updateData.isEnabled = 1;
    updates[1].field = cudaGraphKernelNodeFieldGridDim;
    updates[1].updateData.gridDim = dim3(2);
    updates[2].field = cudaGraphKernelNodeFieldParam;
    updates[2].updateData.param.pValue = &value;
    updates[2].updateData.param.offset = sizeof(int *);
    updates[2].updateData.param.size = sizeof value;
    error = cudaGraphKernelNodeUpdatesApply(updates, 3);
  }
  if (error != cudaSuccess) ++*errors;
}

int main() {
  int *sum = nullptr;
  CUDA_OK(cudaMallocManaged(&sum, 2 * sizeof *sum));
  int *errors = sum + 1;
  *errors = 0;
  cudaGraphKernelNodeUpdate *updates = nullptr;
  CUDA_OK(cudaMallocManaged(&updates, 3 * sizeof *updates));
  cudaGraph_t graph;
  cudaGraphNode_t node;
  int value = 1;
  void *arguments[] = {&sum, &value};
  cudaKernelNodeParams params = {};
  params.func = reinterpret_cast<void *>(add);
  params.gridDim = dim3(1);
  params.blockDim = dim3(1);
  params.kernelParams = arguments;
  CUDA_OK(cudaGraphCreate(&graph, 0));
  CUDA_OK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  cudaKernelNodeAttrValue updatable = {};
  updatable.deviceUpdatableKernelNode.deviceUpdatable = 1;
  CUDA_OK(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeDeviceUpdatableKernelNode, &updatable));
  CUDA_OK(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeDeviceUpdatableKernelNode, &updatable));
  const cudaGraphDeviceNode_t handle = updatable.deviceUpdatableKernelNode.devNode;
  CHECK(handle != nullptr);
  cudaGraphExec_t executable;
  CUDA_OK(cudaGraphInstantiate(&executable, graph, 0));
  CUDA_OK(cudaGraphUpload(executable, nullptr));
  const int expected[] = {1, 100, 500, 0, 14};
  for (int step = 0; step < 5; ++step) {
    change<<<1, 1>>>(handle, step, errors, updates);
    CUDA_OK(cudaDeviceSynchronize());
    *sum = 0;
    CUDA_OK(cudaGraphLaunch(executable, nullptr));
    CUDA_OK(cudaDeviceSynchronize());
    CHECK_EQ(*sum, expected[step]);
    CHECK_EQ(*errors, 0);
  }
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaFree(updates));
  CUDA_OK(cudaFree(sum));
  return check::finish();
}
