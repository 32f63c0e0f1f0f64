// With --default-stream per-thread a launch without a stream goes to the calling thread's own, whichever way it is
// written: it waits for nobody, and a capture of the legacy stream's neighbours is not disturbed by it.
// options: --default-stream per-thread
#include "../check.h"

#include <atomic>
#include <chrono>
#include <thread>

static std::atomic<bool> release{false};
static void CUDART_CB holdStream(void *) {
  while (!release) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

__global__ void add(int *value, int amount) { *value += amount; }

// Every launch here ends while a blocking stream is held: through the legacy stream none could.
static void launchesDoNotWait() {
  cudaStream_t held;
  CUDA_OK(cudaStreamCreate(&held));
  check::DeviceArray<int> value(1, 0);
  add<<<1, 1>>>(value.get(), 0);  // loads the module, which may wait for all streams
  CUDA_OK(cudaDeviceSynchronize());
  release = false;
  CUDA_OK(cudaLaunchHostFunc(held, holdStream, nullptr));
  std::thread rescue([] {
    for (int i = 0; i < 5000 && !release; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    CHECK(release);
    release = true;
  });

  int *pointer = value.get(), amount = 10;
  void *arguments[] = {&pointer, &amount};
  add<<<1, 1>>>(pointer, 1);
  CUDA_OK(cudaLaunchKernel(add, dim3(1), dim3(1), arguments, 0, 0));
  amount = 100;
  CUDA_OK(cudaLaunchCooperativeKernel(add, dim3(1), dim3(1), arguments, 0, 0));
  cudaLaunchConfig_t configuration{};
  configuration.gridDim = configuration.blockDim = dim3(1);
  CUDA_OK(cudaLaunchKernelEx(&configuration, add, pointer, 1000));
  amount = 10000;
  CUDA_OK(cudaLaunchKernelExC(&configuration, (const void *)add, arguments));
  CUDA_OK(cudaStreamSynchronize(0));
  int seen = 0;
  CUDA_OK(cudaMemcpy(&seen, pointer, sizeof seen, cudaMemcpyDeviceToHost));
  CHECK_EQ(seen, 11111);
  release = true;
  rescue.join();
  CUDA_OK(cudaStreamSynchronize(held));
  CUDA_OK(cudaStreamDestroy(held));
}

// The thread's own stream can be captured, which the legacy one cannot.
static void launchesAreCaptured() {
  check::DeviceArray<int> value(1, 0);
  cudaGraph_t graph;
  CUDA_OK(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeThreadLocal));
  add<<<1, 1>>>(value.get(), 5);
  CUDA_OK(cudaGetLastError());
  add<<<1, 1, 0, cudaStreamPerThread>>>(value.get(), 50);
  CUDA_OK(cudaStreamEndCapture(cudaStreamPerThread, &graph));
  size_t nodes = 0;
  CUDA_OK(cudaGraphGetNodes(graph, nullptr, &nodes));
  CHECK_EQ(nodes, size_t(2));
  CHECK_EQ(value.download()[0], 0);
  cudaGraphExec_t executable;
  CUDA_OK(cudaGraphInstantiate(&executable, graph, 0));
  CUDA_OK(cudaGraphLaunch(executable, 0));
  CUDA_OK(cudaStreamSynchronize(0));
  CHECK_EQ(value.download()[0], 55);
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaGraphDestroy(graph));
}

// cudaStreamLegacy is still the legacy stream.
static void legacyStreamStays() {
  unsigned long long own = 0, named = 0, legacy = 0;
  CUDA_OK(cudaStreamGetId(0, &own));
  CUDA_OK(cudaStreamGetId(cudaStreamPerThread, &named));
  CUDA_OK(cudaStreamGetId(cudaStreamLegacy, &legacy));
  CHECK_EQ(own, named);
  CHECK(own != legacy);
}

int main() {
  launchesDoNotWait();
  launchesAreCaptured();
  legacyStreamStays();
  return check::finish();
}
