// The usual loop: capture, update the executable if the shape is the same, instantiate again if it is not.
#include "../check.h"

__global__ void add(int *data, int amount) { atomicAdd(data, amount); }

cudaGraph_t record(cudaStream_t stream, int *data, int kernels, int amount) {
  cudaGraph_t graph;
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  for (int i = 0; i < kernels; ++i) add<<<1, 1, 0, stream>>>(data, amount);
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  return graph;
}

int main() {
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  check::DeviceArray<int> data(1, 0);
  cudaGraphExec_t executable = nullptr;
  int instantiated = 0, updated = 0, expected = 0;
  for (int step = 0; step < 12; ++step) {
    const int kernels = 3 + step / 4;
    cudaGraph_t graph = record(stream, data.get(), kernels, step + 1);
    expected += kernels * (step + 1);
    cudaGraphExecUpdateResultInfo info = {};
    if (executable && cudaGraphExecUpdate(executable, graph, &info) == cudaSuccess) {
      CHECK_EQ(info.result, cudaGraphExecUpdateSuccess);
      ++updated;
    } else {
      if (executable) {
        CHECK_EQ(cudaGetLastError(), cudaErrorGraphExecUpdateFailure);
        CHECK_EQ(info.result, cudaGraphExecUpdateErrorTopologyChanged);
        CUDA_OK(cudaGraphExecDestroy(executable));
      }
      CUDA_OK(cudaGraphInstantiate(&executable, graph, 0));
      ++instantiated;
    }
    CUDA_OK(cudaGraphDestroy(graph));
    CUDA_OK(cudaGraphLaunch(executable, stream));
  }
  CUDA_OK(cudaStreamSynchronize(stream));
  CHECK_EQ(instantiated, 3);
  CHECK_EQ(updated, 9);
  CHECK_EQ(data.download()[0], expected);

  // Another kind of node in the same place is a difference, too.
  cudaGraph_t other;
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 0; i < 4; ++i) add<<<1, 1, 0, stream>>>(data.get(), 1);
  CUDA_OK(cudaMemsetAsync(data.get(), 0, sizeof(int), stream));
  CUDA_OK(cudaStreamEndCapture(stream, &other));
  cudaGraphExecUpdateResultInfo info = {};
  CHECK_EQ(cudaGraphExecUpdate(executable, other, &info), cudaErrorGraphExecUpdateFailure);
  CHECK_EQ(info.result, cudaGraphExecUpdateErrorNodeTypeChanged);
  // A failed update leaves the executable as it was.
  CUDA_OK(cudaGraphLaunch(executable, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  CHECK_EQ(data.download()[0], expected + 5 * 12);
  CUDA_OK(cudaGraphDestroy(other));
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaStreamDestroy(stream));
  return check::finish();
}
