// Child graphs inside of child graphs, copies to and from module variables, objects that graphs keep alive.
#include <atomic>
#include <thread>

#include "../check.h"

__device__ int variable[4];
__constant__ int factor[2];

__global__ void multiply(int step) { variable[threadIdx.x] = variable[threadIdx.x] * factor[1] + step; }

cudaGraphNode_t addMultiply(cudaGraph_t graph, int step, std::vector<cudaGraphNode_t> after) {
  void *arguments[] = {&step};
  cudaKernelNodeParams params = {};
  params.func = reinterpret_cast<void *>(multiply);
  params.gridDim = dim3(1);
  params.blockDim = dim3(4);
  params.kernelParams = arguments;
  cudaGraphNode_t node;
  CUDA_OK(cudaGraphAddKernelNode(&node, graph, after.data(), after.size(), &params));
  return node;
}

std::atomic<int> destroyed{0};
struct Kept {
  ~Kept() { ++destroyed; }
};

struct Program {
  int in[4] = {1, 2, 3, 4}, factors[2] = {0, 10}, out[4] = {};
  cudaGraph_t innermost, inner, outer;
  cudaGraphNode_t child, constants;
  cudaGraphExec_t executable;

  void build();
  void launch();
  void exchange();
  void destroy();
};

void Program::build() {
  CUDA_OK(cudaGraphCreate(&innermost, 0));
  CUDA_OK(cudaGraphCreate(&inner, 0));
  CUDA_OK(cudaGraphCreate(&outer, 0));
  cudaGraphNode_t first = addMultiply(innermost, 1, {});
  addMultiply(innermost, 2, {first});
  cudaGraphNode_t upload, download;
  CUDA_OK(cudaGraphAddChildGraphNode(&child, inner, nullptr, 0, innermost));
  addMultiply(inner, 3, {child});
  CUDA_OK(cudaGraphDestroyNode(first));  // the child is a copy

  CUDA_OK(
      cudaGraphAddMemcpyNodeToSymbol(&upload, outer, nullptr, 0, variable, in, sizeof in, 0, cudaMemcpyHostToDevice));
  CUDA_OK(cudaGraphAddMemcpyNodeToSymbol(&constants, outer, nullptr, 0, factor, factors + 1, sizeof(int), sizeof(int),
                                         cudaMemcpyHostToDevice));
  const cudaGraphNode_t both[] = {upload, constants};
  CUDA_OK(cudaGraphAddChildGraphNode(&child, outer, both, 2, inner));
  CUDA_OK(cudaGraphAddMemcpyNodeFromSymbol(&download, outer, &child, 1, out, variable, sizeof out, 0,
                                           cudaMemcpyDeviceToHost));
  cudaGraph_t embedded;
  CUDA_OK(cudaGraphChildGraphNodeGetGraph(child, &embedded));
  size_t nodes = 0;
  CUDA_OK(cudaGraphGetNodes(embedded, nullptr, &nodes));
  CHECK_EQ(nodes, 2);
  CHECK_EQ(cudaGraphChildGraphNodeGetGraph(upload, &embedded), cudaErrorInvalidValue);

  cudaUserObject_t object;
  CUDA_OK(cudaUserObjectCreate(&object, new Kept, 1, cudaUserObjectNoDestructorSync));
  CUDA_OK(cudaGraphRetainUserObject(outer, object, 1, cudaGraphUserObjectMove));
}

void Program::launch() {
  CUDA_OK(cudaGraphInstantiate(&executable, outer, nullptr, nullptr, 0));
  for (int round = 0; round < 3; ++round) {
    CUDA_OK(cudaGraphLaunch(executable, nullptr));
    CUDA_OK(cudaDeviceSynchronize());
    for (int i = 0; i < 4; ++i) CHECK_EQ(out[i], in[i] * 1000 + 123);
    in[2] += 5;
  }
}

// A child of an executable gets other parameters from a graph of the same shape.
void Program::exchange() {
  cudaGraph_t replacement;
  CUDA_OK(cudaGraphClone(&replacement, inner));
  CUDA_OK(cudaGraphExecChildGraphNodeSetParams(executable, child, replacement));
  CHECK_EQ(cudaGraphExecChildGraphNodeSetParams(executable, child, innermost), cudaErrorGraphExecUpdateFailure);
  CUDA_OK(cudaGraphExecMemcpyNodeSetParamsToSymbol(executable, constants, factor, in, sizeof(int), sizeof(int),
                                                   cudaMemcpyHostToDevice));
  CUDA_OK(cudaGraphLaunch(executable, nullptr));
  CUDA_OK(cudaDeviceSynchronize());
  for (int i = 0; i < 4; ++i) CHECK_EQ(out[i], in[i] + 6);
  CUDA_OK(cudaGraphDestroy(replacement));
}

void Program::destroy() {
  CUDA_OK(cudaGraphDestroy(outer));
  CHECK_EQ(destroyed.load(), 0);
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaDeviceSynchronize());
  for (int i = 0; i < 2000 && destroyed == 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK_EQ(destroyed.load(), 1);
  CUDA_OK(cudaGraphDestroy(inner));
  CUDA_OK(cudaGraphDestroy(innermost));
}

int main() {
  static Program program;
  program.build();
  program.launch();
  program.exchange();
  program.destroy();
  (void)cudaGetLastError();
  return check::finish();
}
