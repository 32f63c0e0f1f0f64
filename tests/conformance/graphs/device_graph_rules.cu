// What a graph that kernels launch may hold, how many graphs one may launch, and what a refusal looks like.
// options: -rdc=true -lcudadevrt
#include "../check.h"

constexpr unsigned long long forKernels = cudaGraphInstantiateFlagDeviceLaunch;

__global__ void add(int *sum) { atomicAdd(sum, 1); }
__global__ void nothing() {}
__global__ void launchKernel() { nothing<<<1, 1>>>(); }

// launchAll() launches `count` graphs and counts those that are refused.
__global__ void launchAll(cudaGraphExec_t *graphs, int count, cudaStream_t stream, int *refused) {
  for (int i = 0; i < count; ++i) {
    const cudaError_t error = cudaGraphLaunch(graphs[i], stream);
    if (error == cudaErrorInvalidValue) ++refused[0];
    if (error != cudaSuccess && error != cudaErrorInvalidValue) ++refused[1];
  }
}

class Program {
 public:
  Program() {
    CUDA_OK(cudaStreamCreate(&stream));
    CUDA_OK(cudaMallocHost(&pinned, 64));
    CUDA_OK(cudaMallocManaged(&graphs, mostGraphs * sizeof *graphs));
    for (int i = 0; i < mostGraphs; ++i) graphs[i] = captured([&] { add<<<1, 1, 0, stream>>>(sum.get()); }, forKernels);
  }
  ~Program() {
    for (int i = 0; i < mostGraphs; ++i) cudaGraphExecDestroy(graphs[i]);
    cudaFree(graphs);
    cudaFreeHost(pinned);
    cudaStreamDestroy(stream);
  }

  void contents();
  // launches() demands that of `count` graphs in a row `accepted` run.
  void launches(int count, cudaStream_t mode, int accepted);

 private:
  static constexpr int mostGraphs = 260;

  template <class Work>
  cudaGraphExec_t captured(Work work, unsigned long long flags, cudaError_t expected = cudaSuccess);

  cudaStream_t stream = nullptr;
  int *pinned = nullptr;
  cudaGraphExec_t *graphs = nullptr;
  check::DeviceArray<int> sum{16, 0};
};

template <class Work>
cudaGraphExec_t Program::captured(Work work, unsigned long long flags, cudaError_t expected) {
  cudaGraph_t graph;
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  work();
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  cudaGraphInstantiateParams params = {};
  params.flags = flags;
  cudaGraphExec_t executable = nullptr;
  CHECK_EQ(cudaGraphInstantiateWithParams(&executable, graph, &params), expected);
  if (expected != cudaSuccess) {
    CHECK_EQ(params.result_out, cudaGraphInstantiateNodeOperationNotSupported);
    CHECK(params.errNode_out != nullptr);
    (void)cudaGetLastError();
  } else if (flags & forKernels) {
    CUDA_OK(cudaGraphUpload(executable, stream));
    CUDA_OK(cudaStreamSynchronize(stream));
  }
  CUDA_OK(cudaGraphDestroy(graph));
  return executable;
}

void Program::contents() {
  const auto destroy = [](cudaGraphExec_t each) { CUDA_OK(cudaGraphExecDestroy(each)); };
  destroy(captured([&] { cudaMemcpyAsync(sum.get(), pinned, 16, cudaMemcpyHostToDevice, stream); }, forKernels));
  destroy(captured([&] { cudaMemcpyAsync(sum.get(), sum.get() + 8, 16, cudaMemcpyDefault, stream); }, forKernels));
  destroy(captured([&] { cudaMemsetAsync(sum.get(), 0, 16, stream); }, forKernels));
  destroy(captured([&] { launchKernel<<<1, 1, 0, stream>>>(); }, 0));

  const cudaError_t refused = cudaErrorInvalidValue;
  int pageable[4] = {};
  captured([&] { cudaMemcpyAsync(sum.get(), pageable, 16, cudaMemcpyHostToDevice, stream); }, forKernels, refused);
  captured([&] { cudaLaunchHostFunc(stream, [](void *) {}, nullptr); }, forKernels, refused);
  captured([&] { launchKernel<<<1, 1, 0, stream>>>(); }, forKernels, refused);
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  CUDA_OK(cudaMallocArray(&array, &format, 16, 16));
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaGraphExec_t executable;
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(sum.get(), 64, 16, 1);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(4, 1, 1);
  copy.kind = cudaMemcpyDeviceToDevice;
  CUDA_OK(cudaGraphCreate(&graph, 0));
  CUDA_OK(cudaGraphAddMemcpyNode(&node, graph, nullptr, 0, &copy));
  CHECK_EQ(cudaGraphInstantiate(&executable, graph, forKernels), refused);
  (void)cudaGetLastError();
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaFreeArray(array));
}

void Program::launches(int count, cudaStream_t mode, int accepted) {
  check::DeviceArray<int> refused(2, 0);
  cudaGraphExec_t parent = captured([&] { launchAll<<<1, 1, 0, stream>>>(graphs, count, mode, refused.get()); }, 0);
  // The count starts anew with each launch of the parent.
  for (int launch = 1; launch <= 2; ++launch) {
    CUDA_OK(cudaMemset(sum.get(), 0, sum.bytes()));
    CUDA_OK(cudaGraphLaunch(parent, stream));
    CUDA_OK(cudaStreamSynchronize(stream));
    CHECK_EQ(sum.download()[0], accepted);
    CHECK_EQ(refused.download()[0], launch * (count - accepted));
    CHECK_EQ(refused.download()[1], 0);
  }
  CUDA_OK(cudaGraphExecDestroy(parent));
}

int main() {
  {
    Program program;
    program.contents();
    program.launches(120, cudaStreamGraphFireAndForget, 120);
    program.launches(121, cudaStreamGraphFireAndForget, 120);
    program.launches(255, cudaStreamGraphTailLaunch, 255);
    program.launches(257, cudaStreamGraphTailLaunch, 255);
  }
  return check::finish();
}
