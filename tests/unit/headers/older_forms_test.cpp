// Calls in the forms of CUDA 8 to 12 reach today's functions with today's arguments. This file defines the functions
// that it calls, in place of the runtime.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

namespace {

cudaMemLocation lastLocation;
const cudaGraphEdgeData *lastEdges;
size_t lastCount;
unsigned long long lastFlags;
cudaGraphNode_t *const anyNode = reinterpret_cast<cudaGraphNode_t *>(16);

}  // namespace

extern "C" {
cudaError_t cudaMemPrefetchAsync(const void *, size_t, cudaMemLocation location, unsigned int, cudaStream_t) {
  lastLocation = location;
  return cudaSuccess;
}
cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, cudaMemLocation location) {
  lastLocation = location;
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *, cudaGraph_t, unsigned long long flags) {
  lastFlags = flags;
  return cudaErrorInvalidValue;
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t *, const cudaGraphNode_t *,
                                     const cudaGraphEdgeData *edges, size_t count) {
  lastEdges = edges;
  lastCount = count;
  return cudaSuccess;
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t, cudaGraphNode_t *, const cudaGraphEdgeData *edges,
                                                size_t count, unsigned int flags) {
  lastEdges = edges;
  lastCount = count;
  lastFlags = flags;
  return cudaSuccess;
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t, cudaGraph_t, cudaGraphExecUpdateResultInfo *info) {
  info->result = cudaGraphExecUpdateErrorTopologyChanged;
  info->errorNode = reinterpret_cast<cudaGraphNode_t>(32);
  return cudaErrorGraphExecUpdateFailure;
}
cudaError_t cudaDeviceSynchronize() { return cudaErrorLaunchFailure; }
}

namespace {

TEST(OlderForms, DeviceOrdinalsBecomeLocations) {
  EXPECT_EQ(cudaMemPrefetchAsync(nullptr, 1, 3), cudaSuccess);
  EXPECT_EQ(lastLocation.type, cudaMemLocationTypeDevice);
  EXPECT_EQ(lastLocation.id, 3);
  EXPECT_EQ(cudaMemPrefetchAsync(nullptr, 1, cudaCpuDeviceId, nullptr), cudaSuccess);
  EXPECT_EQ(lastLocation.type, cudaMemLocationTypeHost);
  EXPECT_EQ(cudaMemAdvise(nullptr, 1, cudaMemAdviseSetAccessedBy, 2), cudaSuccess);
  EXPECT_EQ(lastLocation.id, 2);
}

TEST(OlderForms, InstantiateWithLogReportsFailureAndEmptyLog) {
  char log[4] = "abc";
  cudaGraphNode_t node = reinterpret_cast<cudaGraphNode_t>(anyNode);
  lastFlags = 1;
  EXPECT_EQ(cudaGraphInstantiate(nullptr, nullptr, &node, log, sizeof log), cudaErrorInvalidValue);
  EXPECT_EQ(lastFlags, 0u);
  EXPECT_EQ(node, nullptr);
  EXPECT_STREQ(log, "");
}

TEST(OlderForms, EdgesWithoutData) {
  cudaGraphEdgeData edge{};
  EXPECT_EQ(cudaGraphAddDependencies(nullptr, anyNode, anyNode, &edge, 1), cudaSuccess);
  EXPECT_EQ(lastEdges, &edge);
  EXPECT_EQ(cudaGraphAddDependencies(nullptr, anyNode, anyNode, 7), cudaSuccess);
  EXPECT_EQ(lastEdges, nullptr);
  EXPECT_EQ(lastCount, 7u);
}

TEST(OlderForms, CaptureDependenciesWithoutData) {
  EXPECT_EQ(cudaStreamUpdateCaptureDependencies(nullptr, anyNode, 5, cudaStreamSetCaptureDependencies), cudaSuccess);
  EXPECT_EQ(lastCount, 5u);
  EXPECT_EQ(lastFlags, 1u);
  EXPECT_EQ(cudaStreamUpdateCaptureDependencies(nullptr, anyNode, NULL, 6), cudaSuccess);
  EXPECT_EQ(lastCount, 6u);
  EXPECT_EQ(lastFlags, 0u);
}

TEST(OlderForms, UpdateResultInPieces) {
  cudaGraphNode_t node = nullptr;
  cudaGraphExecUpdateResult result = cudaGraphExecUpdateSuccess;
  EXPECT_EQ(cudaGraphExecUpdate(nullptr, nullptr, &node, &result), cudaErrorGraphExecUpdateFailure);
  EXPECT_EQ(result, cudaGraphExecUpdateErrorTopologyChanged);
  EXPECT_EQ(node, reinterpret_cast<cudaGraphNode_t>(32));
}

TEST(OlderForms, ThreadFunctionsAreDeviceFunctions) { EXPECT_EQ(cudaThreadSynchronize(), cudaErrorLaunchFailure); }

}  // namespace
