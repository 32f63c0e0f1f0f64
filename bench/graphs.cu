// What a node of a graph costs against a launch into a stream: a thousand empty kernels in a row, and side by side.
#include <cstdio>

#include "timing.h"

#define CHECK(call)                                              \
  do {                                                           \
    cudaError_t error = (call);                                  \
    if (error != cudaSuccess) {                                  \
      std::printf("%s: %s\n", #call, cudaGetErrorString(error)); \
      return 1;                                                  \
    }                                                            \
  } while (0)

__global__ void countUp(int *counter) { atomicAdd(counter, 1); }

constexpr int kernels = 1000;
constexpr int runs = 11;

// Costs is microseconds for each kernel: until the last call has returned, and until the last kernel has ended.
struct Costs {
  double calls;
  double all;
};

template <class Launch>
static Costs measure(cudaStream_t stream, Launch launch) {
  std::vector<double> calls;
  const double all = bench::seconds(
      [&] {
        const auto begin = std::chrono::steady_clock::now();
        launch();
        calls.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
        cudaStreamSynchronize(stream);
      },
      runs);
  std::sort(calls.begin(), calls.end());
  return {calls[calls.size() / 2] / kernels * 1e6, all / kernels * 1e6};
}

static void report(const char *name, const Costs &costs) {
  char line[64];
  std::snprintf(line, sizeof line, "%s_calls", name);
  bench::report(line, costs.calls, "us");
  bench::report(name, costs.all, "us");
}

// wideGraph() makes a graph of kernels without order between them.
static cudaError_t wideGraph(cudaGraph_t *graph, int *counter) {
  cudaError_t error = cudaGraphCreate(graph, 0);
  void *arguments[] = {&counter};
  cudaKernelNodeParams params = {};
  params.func = reinterpret_cast<void *>(countUp);
  params.gridDim = dim3(1);
  params.blockDim = dim3(1);
  params.kernelParams = arguments;
  for (int i = 0; i < kernels && error == cudaSuccess; ++i) {
    cudaGraphNode_t node;
    error = cudaGraphAddKernelNode(&node, *graph, nullptr, 0, &params);
  }
  return error;
}

int main() {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  int *counter;
  CHECK(cudaMallocManaged(&counter, sizeof(int)));
  *counter = 0;
  report("stream_kernel", measure(stream, [&] {
           for (int i = 0; i < kernels; ++i) countUp<<<1, 1, 0, stream>>>(counter);
         }));

  cudaGraph_t chain, wide;
  cudaGraphExec_t executable;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 0; i < kernels; ++i) countUp<<<1, 1, 0, stream>>>(counter);
  CHECK(cudaStreamEndCapture(stream, &chain));
  double made = bench::seconds(
      [&] {
        cudaGraphInstantiate(&executable, chain, 0);
        cudaGraphExecDestroy(executable);
      },
      runs);
  bench::report("graph_instantiate_node", made / kernels * 1e6, "us");
  CHECK(cudaGraphInstantiate(&executable, chain, 0));
  report("graph_chain_kernel", measure(stream, [&] { cudaGraphLaunch(executable, stream); }));
  CHECK(cudaGraphExecDestroy(executable));

  CHECK(wideGraph(&wide, counter));
  CHECK(cudaGraphInstantiate(&executable, wide, 0));
  report("graph_wide_kernel", measure(stream, [&] { cudaGraphLaunch(executable, stream); }));
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaDeviceSynchronize());
  if (*counter != 3 * (runs + 1) * kernels) return 1;
  return 0;
}
