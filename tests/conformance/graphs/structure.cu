// Asking a graph for its nodes and edges, changing them, and the errors of graphs that cannot be.
#include "../check.h"

cudaGraphNode_t empty(cudaGraph_t graph, std::vector<cudaGraphNode_t> after = {}) {
  cudaGraphNode_t node;
  CUDA_OK(cudaGraphAddEmptyNode(&node, graph, after.data(), after.size()));
  return node;
}

size_t nodeCount(cudaGraph_t graph) {
  size_t count = 0;
  CUDA_OK(cudaGraphGetNodes(graph, nullptr, &count));
  return count;
}

size_t edgeCount(cudaGraph_t graph) {
  size_t count = 0;
  CUDA_OK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
  return count;
}

void queries() {
  cudaGraph_t graph;
  CUDA_OK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t a = empty(graph), b = empty(graph, {a}), c = empty(graph, {a}), d = empty(graph, {b, c});
  CHECK_EQ(nodeCount(graph), 4);
  CHECK_EQ(edgeCount(graph), 4);
  cudaGraphNode_t list[8];
  size_t count = 8;
  CUDA_OK(cudaGraphGetNodes(graph, list, &count));
  CHECK_EQ(count, 4);
  CHECK(list[4] == nullptr);
  count = 8;
  CUDA_OK(cudaGraphGetRootNodes(graph, list, &count));
  CHECK_EQ(count, 1);
  CHECK(list[0] == a);
  count = 8;
  CUDA_OK(cudaGraphNodeGetDependencies(d, list, nullptr, &count));
  CHECK_EQ(count, 2);
  CHECK((list[0] == b && list[1] == c) || (list[0] == c && list[1] == b));
  count = 8;
  CUDA_OK(cudaGraphNodeGetDependentNodes(a, list, nullptr, &count));
  CHECK_EQ(count, 2);
  cudaGraphNodeType type;
  CUDA_OK(cudaGraphNodeGetType(a, &type));
  CHECK_EQ(type, cudaGraphNodeTypeEmpty);

  cudaGraph_t clone;
  CUDA_OK(cudaGraphClone(&clone, graph));
  cudaGraphNode_t twin;
  CUDA_OK(cudaGraphNodeFindInClone(&twin, d, clone));
  CHECK(twin != d);
  count = 0;
  CUDA_OK(cudaGraphNodeGetDependencies(twin, nullptr, nullptr, &count));
  CHECK_EQ(count, 2);
  CUDA_OK(cudaGraphDestroyNode(b));
  CHECK_EQ(nodeCount(graph), 3);
  CHECK_EQ(edgeCount(graph), 2);
  CHECK_EQ(nodeCount(clone), 4);
  CUDA_OK(cudaGraphDestroy(clone));
  CUDA_OK(cudaGraphDestroy(graph));
}

void errors() {
  cudaGraph_t graph, other;
  CUDA_OK(cudaGraphCreate(&graph, 0));
  CUDA_OK(cudaGraphCreate(&other, 0));
  cudaGraphNode_t a = empty(graph), b = empty(graph, {a}), node;
  CHECK_EQ(cudaGraphAddDependencies(graph, &a, &b, nullptr, 1), cudaErrorInvalidValue);  // there already
  CHECK_EQ(cudaGraphAddDependencies(graph, &a, &a, nullptr, 1), cudaErrorInvalidValue);
  CHECK_EQ(cudaGraphAddEmptyNode(&node, other, &a, 1), cudaErrorInvalidValue);
  const cudaGraphNode_t twice[] = {a, a};
  CHECK_EQ(cudaGraphAddEmptyNode(&node, graph, twice, 2), cudaErrorInvalidValue);
  cudaGraphExec_t executable;
  CUDA_OK(cudaGraphAddDependencies(graph, &b, &a, nullptr, 1));  // a cycle, which instantiation finds
  CHECK_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaErrorInvalidValue);
  CUDA_OK(cudaGraphRemoveDependencies(graph, &b, &a, nullptr, 1));
  CHECK_EQ(cudaGraphRemoveDependencies(graph, &b, &a, nullptr, 1), cudaErrorInvalidValue);
  CUDA_OK(cudaGraphInstantiate(&executable, graph, 0));
  cudaGraphExecUpdateResultInfo info = {};
  CHECK_EQ(cudaGraphExecUpdate(executable, other, &info), cudaErrorGraphExecUpdateFailure);
  CHECK_EQ(info.result, cudaGraphExecUpdateErrorTopologyChanged);
  CHECK_EQ(cudaGraphNodeSetEnabled(executable, a, 0), cudaErrorInvalidValue);  // not for empty nodes
  CUDA_OK(cudaGraphExecDestroy(executable));

  cudaGraphInstantiateParams params = {};
  CUDA_OK(cudaGraphInstantiateWithParams(&executable, graph, &params));
  CHECK_EQ(params.result_out, cudaGraphInstantiateSuccess);
  CUDA_OK(cudaGraphExecDestroy(executable));
  CHECK_EQ(cudaGraphDestroy(nullptr), cudaErrorInvalidValue);
  CHECK_EQ(cudaGraphExecDestroy(nullptr), cudaErrorInvalidValue);
  CHECK_EQ(cudaGraphLaunch(nullptr, nullptr), cudaErrorInvalidValue);
  CHECK_EQ(cudaGraphInstantiate(&executable, nullptr, 0), cudaErrorInvalidValue);
  CUDA_OK(cudaGraphDestroy(other));
  CUDA_OK(cudaGraphDestroy(graph));
}

// A graph without nodes can be launched: it only keeps its place in the stream.
void nothing() {
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CUDA_OK(cudaGraphCreate(&graph, 0));
  CUDA_OK(cudaGraphInstantiate(&executable, graph, 0));
  CUDA_OK(cudaGraphLaunch(executable, nullptr));
  CUDA_OK(cudaDeviceSynchronize());
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaGraphDestroy(graph));
}

int main() {
  queries();
  errors();
  nothing();
  (void)cudaGetLastError();
  return check::finish();
}
