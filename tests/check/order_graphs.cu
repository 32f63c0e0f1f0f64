// Nodes of graphs that no path connects, and graphs beside other work.
// options: -g
#include "operations.h"

cudaGraph_t twoNodes(bool ordered) {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t first, second;
  cudaMemsetParams fills{};
  fills.dst = device;
  fills.elementSize = 1;
  fills.width = bytes;
  fills.height = 1;
  cudaGraphAddMemsetNode(&first, graph, nullptr, 0, &fills);
  cudaGraphAddMemcpyNode1D(&second, graph, ordered ? &first : nullptr, ordered ? 1 : 0, other, device, bytes,
                           cudaMemcpyDeviceToDevice);
  return graph;
}

cudaGraphExec_t instantiate(cudaGraph_t graph) {
  cudaGraphExec_t executable;
  cudaGraphInstantiate(&executable, graph, 0);
  return executable;
}

// finds: race between operations: cudaGraphAddDependencies()
HOST void racy_nodes() { cudaGraphLaunch(instantiate(twoNodes(false)), one); }
HOST void fixed_nodes() { cudaGraphLaunch(instantiate(twoNodes(true)), one); }

cudaGraphExec_t captured(bool joined) {
  cudaGraph_t graph;
  cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal);
  order(one, two);
  fill<<<16, 256, 0, one>>>(device, 1);
  if (joined) order(one, two);
  take<<<16, 256, 0, two>>>(other, device);
  order(two, one);
  cudaStreamEndCapture(one, &graph);
  return instantiate(graph);
}

// finds: race between operations: a node of a graph, in stream 1
HOST void racy_captured() { cudaGraphLaunch(captured(false), one); }
HOST void fixed_captured() {
  const cudaGraphExec_t graph = captured(true);
  cudaGraphLaunch(graph, one);
  cudaGraphLaunch(graph, two);
}

// finds: race between operations: kernel take(int*, int const*) in stream 2
HOST void racy_beside() {
  cudaGraphLaunch(captured(true), one);
  take<<<16, 256, 0, two>>>(other, device);
}
HOST void fixed_beside() {
  cudaGraphLaunch(captured(true), one);
  order(one, two);
  take<<<16, 256, 0, two>>>(other, device);
}

int main() {
  prepare();
  PAIR(nodes);
  PAIR(captured);
  PAIR(beside);
  return finish();
}
