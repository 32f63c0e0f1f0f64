// What graphs keep alive: objects live as long as a launch that may use them, and an update exchanges them.
#include <atomic>
#include <chrono>
#include <thread>

#include "../check.h"

static std::atomic<int> gone{0};
static std::atomic<bool> go{false};

static void isGone(void *) { ++gone; }
static void waitForGo(void *) {
  while (!go) std::this_thread::yield();
}

// Nothing in CUDA waits for the end of an object.
static void expectGone(int count) {
  for (int i = 0; i < 5000 && gone < count; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK_EQ(gone.load(), count);
}
static void expectStays(int count) {
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  CHECK_EQ(gone.load(), count);
}

static cudaGraph_t graphWithObject() {
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaUserObject_t object;
  cudaHostNodeParams params = {waitForGo, nullptr};
  CUDA_OK(cudaGraphCreate(&graph, 0));
  CUDA_OK(cudaGraphAddHostNode(&node, graph, nullptr, 0, &params));
  CUDA_OK(cudaUserObjectCreate(&object, nullptr, isGone, 1, cudaUserObjectNoDestructorSync));
  CUDA_OK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
  return graph;
}

static void destroyedWhileRunning(cudaStream_t stream) {
  cudaGraph_t graph = graphWithObject();
  cudaGraphExec_t executable;
  CUDA_OK(cudaGraphInstantiate(&executable, graph, 0));
  CUDA_OK(cudaGraphDestroy(graph));
  go = false;
  CUDA_OK(cudaGraphLaunch(executable, stream));
  CUDA_OK(cudaGraphExecDestroy(executable));
  expectStays(0);
  go = true;
  CUDA_OK(cudaStreamSynchronize(stream));
  expectGone(1);
}

static void updated(cudaStream_t stream) {
  cudaGraph_t first = graphWithObject(), second = graphWithObject();
  cudaGraphExec_t executable;
  CUDA_OK(cudaGraphInstantiate(&executable, first, 0));
  CUDA_OK(cudaGraphDestroy(first));
  go = false;
  CUDA_OK(cudaGraphLaunch(executable, stream));
  cudaGraphExecUpdateResultInfo info;
  CUDA_OK(cudaGraphExecUpdate(executable, second, &info));
  CUDA_OK(cudaGraphDestroy(second));
  expectStays(1);  // the launch before the update runs
  go = true;
  CUDA_OK(cudaStreamSynchronize(stream));
  expectGone(2);
  expectStays(2);
  CUDA_OK(cudaGraphExecDestroy(executable));
  expectGone(3);
}

int main() {
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  destroyedWhileRunning(stream);
  updated(stream);
  CUDA_OK(cudaStreamDestroy(stream));
  return check::finish();
}
