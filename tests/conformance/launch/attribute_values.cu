// Launch attributes and their values: which of them launches, captured launches and kernel nodes take, and what a node
// has of the launch and the stream that it was captured from [CUDA 4.2.4, 4.11.2].
#include "../check.h"

#include <cmath>
#include <cstring>
#include <initializer_list>

__global__ void kernel() {}

struct Attribute : cudaLaunchAttribute {
  template <typename Fill>
  Attribute(cudaLaunchAttributeID which, Fill fill) {
    std::memset(static_cast<cudaLaunchAttribute *>(this), 0, sizeof(cudaLaunchAttribute));
    id = which;
    fill(val);
  }
};

Attribute window(size_t bytes, float ratio, cudaAccessProperty miss) {
  return {cudaLaunchAttributeAccessPolicyWindow, [&](cudaLaunchAttributeValue &v) {
            v.accessPolicyWindow = {nullptr, bytes, ratio, cudaAccessPropertyPersisting, miss};
          }};
}

Attribute cluster(unsigned x, unsigned y, unsigned z) {
  return {cudaLaunchAttributeClusterDimension, [&](cudaLaunchAttributeValue &v) { v.clusterDim = {x, y, z}; }};
}

Attribute preferred(unsigned x, unsigned y, unsigned z) {
  return {cudaLaunchAttributePreferredClusterDimension,
          [&](cudaLaunchAttributeValue &v) { v.preferredClusterDim = {x, y, z}; }};
}

Attribute map(unsigned char first, unsigned char second) {
  return {cudaLaunchAttributeMemSyncDomainMap,
          [&](cudaLaunchAttributeValue &v) { v.memSyncDomainMap = {first, second}; }};
}

Attribute number(int id, int value) {
  return {static_cast<cudaLaunchAttributeID>(id),
          [&](cudaLaunchAttributeValue &v) { std::memcpy(&v, &value, sizeof value); }};
}

cudaError_t launch(cudaStream_t stream, Attribute *attributes, unsigned count) {
  cudaLaunchConfig_t config = {};
  config.gridDim = 2;
  config.blockDim = 1;
  config.stream = stream;
  config.attrs = attributes;
  config.numAttrs = count;
  const cudaError_t result = cudaLaunchKernelEx(&config, kernel);
  cudaGetLastError();
  return result;
}

cudaGraphNode_t addNode(cudaGraph_t graph) {
  cudaKernelNodeParams params = {};
  params.func = reinterpret_cast<void *>(kernel);
  params.gridDim = 2;
  params.blockDim = 1;
  cudaGraphNode_t node;
  CUDA_OK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  return node;
}

// tryOn() tries the attribute on a launch, on a captured one with the end of the capture, and on a node.
void tryOn(Attribute attribute, cudaError_t launched, cudaError_t ended, cudaError_t set) {
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  CHECK_EQ(launch(stream, &attribute, 1), launched);
  CUDA_OK(cudaStreamSynchronize(stream));
  cudaGraph_t graph = nullptr;
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  CHECK_EQ(launch(stream, &attribute, 1), launched);
  CHECK_EQ(cudaStreamEndCapture(stream, &graph), ended);
  cudaGetLastError();
  if (graph) CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaGraphCreate(&graph, 0));
  CHECK_EQ(cudaGraphKernelNodeSetAttribute(addNode(graph), attribute.id, &attribute.val), set);
  cudaGetLastError();
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaStreamDestroy(stream));
}

constexpr cudaError_t ok = cudaSuccess, invalid = cudaErrorInvalidValue, size = cudaErrorInvalidClusterSize;

void checkHints() {
  tryOn(window(1 << 16, 0.5F, cudaAccessPropertyStreaming), ok, ok, ok);
  tryOn(window(size_t(1) << 40, 0.5F, cudaAccessPropertyStreaming), invalid, ok, invalid);
  tryOn(window(1 << 16, 2, cudaAccessPropertyStreaming), invalid, ok, invalid);
  tryOn(window(1 << 16, 0.5F, cudaAccessPropertyPersisting), invalid, ok, invalid);
  tryOn(map(3, 3), ok, ok, ok);
  tryOn(map(4, 0), invalid, ok, invalid);
  tryOn(map(0, 200), invalid, ok, invalid);
  tryOn(number(cudaLaunchAttributeMemSyncDomain, 1), ok, ok, ok);
  tryOn(number(cudaLaunchAttributeMemSyncDomain, 9), invalid, ok, invalid);
  tryOn(number(cudaLaunchAttributePreferredSharedMemoryCarveout, 100), ok, ok, ok);
  tryOn(number(cudaLaunchAttributePreferredSharedMemoryCarveout, 101), invalid, ok, invalid);
  tryOn(number(cudaLaunchAttributePreferredSharedMemoryCarveout, -1), invalid, ok, invalid);
  tryOn(number(cudaLaunchAttributeClusterSchedulingPolicyPreference, 2), ok, ok, ok);
  tryOn(number(cudaLaunchAttributeSynchronizationPolicy, cudaSyncPolicyAuto), invalid, ok, invalid);
  tryOn(number(77, 0), invalid, ok, invalid);
}

void checkClusters() {
  tryOn(cluster(2, 1, 1), ok, ok, ok);
  tryOn(cluster(0, 0, 0), ok, ok, ok);
  tryOn(cluster(0, 1, 1), size, ok, size);
  tryOn(cluster(3, 1, 1), size, cudaErrorStreamCaptureInvalidated, size);
  tryOn(cluster(32, 1, 1), size, cudaErrorStreamCaptureInvalidated, size);
  tryOn(preferred(0, 0, 0), ok, ok, invalid);
  tryOn(preferred(0, 1, 1), size, ok, invalid);
  tryOn(preferred(2, 1, 1), size, cudaErrorStreamCaptureInvalidated, invalid);
}

cudaLaunchAttributeValue valueOf(cudaGraphNode_t node, cudaLaunchAttributeID id) {
  cudaLaunchAttributeValue value = {};
  CUDA_OK(cudaGraphKernelNodeGetAttribute(node, id, &value));
  return value;
}

void checkFreshNode() {
  cudaGraph_t graph;
  CUDA_OK(cudaGraphCreate(&graph, 0));
  const cudaGraphNode_t node = addNode(graph);
  CHECK_EQ(valueOf(node, cudaLaunchAttributeMemSyncDomainMap).memSyncDomainMap.default_, 0);
  CHECK_EQ(valueOf(node, cudaLaunchAttributeMemSyncDomainMap).memSyncDomainMap.remote, 1);
  CHECK_EQ(valueOf(node, cudaLaunchAttributeDeviceUpdatableKernelNode).deviceUpdatableKernelNode.deviceUpdatable, 0);
  cudaLaunchAttributeValue value = {};
  CHECK_EQ(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeSynchronizationPolicy, &value), invalid);
  CHECK_EQ(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeProgrammaticEvent, &value), invalid);
  cudaGetLastError();
  int least, greatest;
  CUDA_OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  value.priority = greatest - 90;
  CUDA_OK(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributePriority, &value));
  CHECK_EQ(valueOf(node, cudaLaunchAttributePriority).priority, greatest);
  CUDA_OK(cudaGraphDestroy(graph));
}

// checkWindows(): nodes, streams and launches take the same windows; a ratio that is no number is no wrong one.
void checkWindows() {
  cudaGraph_t graph;
  CUDA_OK(cudaGraphCreate(&graph, 0));
  const cudaGraphNode_t node = addNode(graph);
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  int most = 0;
  CUDA_OK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxAccessPolicyWindowSize, 0));
  const auto bytes = static_cast<size_t>(most);
  const cudaAccessProperty streaming = cudaAccessPropertyStreaming;
  const auto answers = [&](Attribute attribute, cudaError_t expected) {
    const cudaLaunchAttributeID id = cudaLaunchAttributeAccessPolicyWindow;
    CHECK_EQ(cudaGraphKernelNodeSetAttribute(node, id, &attribute.val), expected);
    CHECK_EQ(cudaStreamSetAttribute(stream, id, &attribute.val), expected);
    CHECK_EQ(launch(nullptr, &attribute, 1), expected);
  };
  answers(window(1024, 0.5F, streaming), cudaSuccess);
  answers(window(bytes, 1, streaming), cudaSuccess);
  answers(window(1024, NAN, streaming), cudaSuccess);
  answers(window(1024, 1.5F, streaming), cudaErrorInvalidValue);
  answers(window(1024, -0.5F, streaming), cudaErrorInvalidValue);
  answers(window(bytes + 1, 0.5F, streaming), cudaErrorInvalidValue);
  answers(window(0, 0.5F, cudaAccessPropertyPersisting), cudaErrorInvalidValue);
  (void)cudaGetLastError();
  CUDA_OK(cudaDeviceSynchronize());
  CUDA_OK(cudaStreamDestroy(stream));
  CUDA_OK(cudaGraphDestroy(graph));
}

void checkCapturedNode() {
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreateWithPriority(&stream, 0, -2));
  cudaLaunchAttributeValue domain = {};
  domain.memSyncDomain = cudaLaunchMemSyncDomainRemote;
  CUDA_OK(cudaStreamSetAttribute(stream, cudaLaunchAttributeMemSyncDomain, &domain));
  Attribute attributes[] = {map(2, 3), number(cudaLaunchAttributePreferredSharedMemoryCarveout, 50),
                            window(1 << 16, 0.5F, cudaAccessPropertyStreaming),
                            number(cudaLaunchAttributeDeviceUpdatableKernelNode, 1)};
  CHECK_EQ(launch(stream, attributes + 3, 1), cudaErrorNotSupported);
  attributes[3].val.deviceUpdatableKernelNode.devNode = nullptr;
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  CUDA_OK(launch(stream, attributes, 4));
  CHECK(attributes[3].val.deviceUpdatableKernelNode.devNode != nullptr);
  cudaGraph_t graph;
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  cudaGraphNode_t node;
  size_t count = 1;
  CUDA_OK(cudaGraphGetNodes(graph, &node, &count));
  CHECK_EQ(valueOf(node, cudaLaunchAttributeMemSyncDomainMap).memSyncDomainMap.default_, 2);
  CHECK_EQ(valueOf(node, cudaLaunchAttributePreferredSharedMemoryCarveout).sharedMemCarveout, 50u);
  CHECK_EQ(valueOf(node, cudaLaunchAttributeAccessPolicyWindow).accessPolicyWindow.num_bytes, size_t(1) << 16);
  CHECK_EQ(valueOf(node, cudaLaunchAttributePriority).priority, -2);
  CHECK_EQ(int(valueOf(node, cudaLaunchAttributeMemSyncDomain).memSyncDomain), 1);
  const auto updatable = valueOf(node, cudaLaunchAttributeDeviceUpdatableKernelNode).deviceUpdatableKernelNode;
  CHECK_EQ(updatable.deviceUpdatable, 1);
  CHECK(updatable.devNode == attributes[3].val.deviceUpdatableKernelNode.devNode);
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaStreamDestroy(stream));
}

int main() {
  checkHints();
  checkClusters();
  checkFreshNode();
  checkWindows();
  checkCapturedNode();
  return check::finish();
}
