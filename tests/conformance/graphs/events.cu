// Event nodes order graphs with streams and with each other.
#include "../check.h"

__global__ void slowStore(int *where, int value) {
  const long long start = clock64();
  while (clock64() - start < 200000) {
  }
  *where = value;
}
__global__ void addTo(int *where, const int *amount) { *where += *amount; }

cudaGraphNode_t addKernel(cudaGraph_t graph, void *function, void **arguments, const cudaGraphNode_t *after) {
  cudaKernelNodeParams params = {};
  params.func = function;
  params.gridDim = dim3(1);
  params.blockDim = dim3(1);
  params.kernelParams = arguments;
  cudaGraphNode_t node;
  CUDA_OK(cudaGraphAddKernelNode(&node, graph, after, after ? 1 : 0, &params));
  return node;
}

struct Program {
  cudaStream_t first, second;
  cudaEvent_t stored, other;
  check::DeviceArray<int> values{2, 0};
  int *value = values.get(), *sum = values.get() + 1;
  cudaGraph_t producer, consumer;
  cudaGraphNode_t record;
  cudaGraphExec_t producing, consuming;

  Program() {
    CUDA_OK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
    CUDA_OK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    CUDA_OK(cudaEventCreate(&stored));
    CUDA_OK(cudaEventCreate(&other));
  }
  ~Program() {
    CUDA_OK(cudaGraphExecDestroy(producing));
    CUDA_OK(cudaGraphExecDestroy(consuming));
    CUDA_OK(cudaGraphDestroy(producer));
    CUDA_OK(cudaGraphDestroy(consumer));
    CUDA_OK(cudaEventDestroy(stored));
    CUDA_OK(cudaEventDestroy(other));
    CUDA_OK(cudaStreamDestroy(first));
    CUDA_OK(cudaStreamDestroy(second));
  }
  void between();
  void exchanged();
  void external();
};

// One graph records, the other one waits.
void Program::between() {
  CUDA_OK(cudaGraphCreate(&producer, 0));
  int amount = 21;
  void *storeArguments[] = {&value, &amount};
  cudaGraphNode_t storing = addKernel(producer, reinterpret_cast<void *>(slowStore), storeArguments, nullptr);
  CUDA_OK(cudaGraphAddEventRecordNode(&record, producer, &storing, 1, stored));
  CUDA_OK(cudaGraphCreate(&consumer, 0));
  cudaGraphNode_t wait;
  CUDA_OK(cudaGraphAddEventWaitNode(&wait, consumer, nullptr, 0, stored));
  void *addArguments[] = {&sum, &value};
  addKernel(consumer, reinterpret_cast<void *>(addTo), addArguments, &wait);
  cudaEvent_t got;
  CUDA_OK(cudaGraphEventRecordNodeGetEvent(record, &got));
  CHECK(got == stored);
  CUDA_OK(cudaGraphEventWaitNodeGetEvent(wait, &got));
  CHECK(got == stored);
  CHECK_EQ(cudaGraphEventWaitNodeGetEvent(record, &got), cudaErrorInvalidValue);

  CUDA_OK(cudaGraphInstantiate(&producing, producer, 0));
  CUDA_OK(cudaGraphInstantiate(&consuming, consumer, 0));
  for (int round = 1; round <= 3; ++round) {
    CUDA_OK(cudaMemset(value, 0, sizeof(int)));
    CUDA_OK(cudaDeviceSynchronize());
    CUDA_OK(cudaGraphLaunch(producing, first));
    CUDA_OK(cudaGraphLaunch(consuming, second));
    CUDA_OK(cudaStreamSynchronize(second));
    CHECK_EQ(values.download()[1], 21 * round);
  }
}

// The event of an executable can be another one.
void Program::exchanged() {
  CUDA_OK(cudaGraphExecEventRecordNodeSetEvent(producing, record, other));
  CUDA_OK(cudaMemset(value, 0, sizeof(int)));
  CUDA_OK(cudaDeviceSynchronize());
  CUDA_OK(cudaGraphLaunch(producing, first));
  CUDA_OK(cudaStreamWaitEvent(second, other, 0));
  addTo<<<1, 1, 0, second>>>(sum, value);
  CUDA_OK(cudaStreamSynchronize(second));
  CHECK_EQ(values.download()[1], 84);
}

// External events of a capture become such nodes.
void Program::external() {
  CUDA_OK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  CUDA_OK(cudaStreamWaitEvent(first, stored, cudaEventWaitExternal));
  addTo<<<1, 1, 0, first>>>(sum, value);
  CUDA_OK(cudaEventRecordWithFlags(other, first, cudaEventRecordExternal));
  cudaGraph_t captured;
  CUDA_OK(cudaStreamEndCapture(first, &captured));
  cudaGraphNode_t nodes[3];
  size_t count = 3;
  CUDA_OK(cudaGraphGetNodes(captured, nodes, &count));
  CHECK_EQ(count, 3);
  cudaGraphNodeType type;
  CUDA_OK(cudaGraphNodeGetType(nodes[0], &type));
  CHECK_EQ(type, cudaGraphNodeTypeWaitEvent);
  CUDA_OK(cudaGraphNodeGetType(nodes[2], &type));
  CHECK_EQ(type, cudaGraphNodeTypeEventRecord);
  CUDA_OK(cudaGraphDestroy(captured));
}

int main() {
  {
    Program program;
    program.between();
    program.exchanged();
    program.external();
  }
  (void)cudaGetLastError();
  return check::finish();
}
