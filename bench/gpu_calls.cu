// What calls cost on a GPU: of the API alone, launches, graphs. gpu_calls.py compares hwcc's program with nvcc's.
#include <cuda_runtime.h>

#include <cstdlib>

#include "timing.h"

#define CHECK(call)                                                      \
  do {                                                                   \
    cudaError_t error = (call);                                          \
    if (error != cudaSuccess) {                                          \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error)); \
      std::exit(1);                                                      \
    }                                                                    \
  } while (0)

__global__ void countUp(int *counter) { atomicAdd(counter, 1); }
__global__ void nothing(int *) {}  // what a launch costs, and nothing of the kernel

namespace {

constexpr int runs = 41;

// each() reports the median time of one of `count` calls; behind() follows them and is counted where they only enqueue.
template <class Call, class Behind>
void each(const char *name, int count, Call call, Behind behind) {
  const double seconds = bench::seconds(
      [&] {
        for (int i = 0; i < count; ++i) call();
        behind();
      },
      runs);
  bench::report(name, seconds / count * 1e9, "ns");
}

template <class Call>
void each(const char *name, int count, Call call) {
  each(name, count, call, [] {});
}

void wait() { CHECK(cudaDeviceSynchronize()); }

void calls(int *counter, cudaStream_t stream, cudaEvent_t event) {
  int device;
  each("cudaGetDevice", 2000, [&] { CHECK(cudaGetDevice(&device)); });
  each("cudaSetDevice", 2000, [&] { CHECK(cudaSetDevice(0)); });
  each("cudaPeekAtLastError", 2000, [] { CHECK(cudaPeekAtLastError()); });
  each("cudaStreamQuery", 2000, [&] { CHECK(cudaStreamQuery(stream)); });
  each("cudaEventQuery", 2000, [&] { CHECK(cudaEventQuery(event)); });
  cudaPointerAttributes attributes;
  each("cudaPointerGetAttributes", 2000, [&] { CHECK(cudaPointerGetAttributes(&attributes, counter)); });
  int value;
  each("cudaDeviceGetAttribute", 2000, [&] { CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0)); });
  each("cudaFuncGetAttributes", 2000, [] {
    cudaFuncAttributes found;
    CHECK(cudaFuncGetAttributes(&found, countUp));
  });
  each("cudaStreamSynchronize", 2000, [&] { CHECK(cudaStreamSynchronize(stream)); });
}

void launches(int *counter, cudaStream_t stream) {
  each("launch", 500, [&] { nothing<<<1, 1, 0, stream>>>(counter); }, wait);
  each("launchAndWait", 200, [&] {
    nothing<<<1, 1, 0, stream>>>(counter);
    CHECK(cudaStreamSynchronize(stream));
  });
}

void graphs(int *counter, cudaStream_t stream) {
  cudaGraph_t graph;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  for (int i = 0; i < 20; ++i) nothing<<<1, 1, 0, stream>>>(counter);
  CHECK(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t executable;
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  each("graphOfTwentyAndWait", 100, [&] {
    CHECK(cudaGraphLaunch(executable, stream));
    CHECK(cudaStreamSynchronize(stream));
  });
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));
}

}  // namespace

int main(int argc, char **argv) {
  int *counter;
  CHECK(cudaMalloc(&counter, sizeof(int)));
  CHECK(cudaMemset(counter, 0, sizeof(int)));
  cudaStream_t stream;
  cudaEvent_t event;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaEventCreate(&event));
  countUp<<<1, 1, 0, stream>>>(counter);
  CHECK(cudaEventRecord(event, stream));
  wait();
  if (argc == 1) {  // with an argument it starts, computes and ends
    calls(counter, stream, event);
    launches(counter, stream);
    graphs(counter, stream);
  }
  int count;
  CHECK(cudaMemcpy(&count, counter, sizeof(int), cudaMemcpyDeviceToHost));
  return count == 1 ? 0 : 1;
}
