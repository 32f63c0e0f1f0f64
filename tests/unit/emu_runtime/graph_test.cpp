#include <chrono>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "emu_runtime/device/current.h"
#include "emu_runtime/execution/engine.h"
#include "emu_runtime/graph/executable.h"
#include "emu_runtime/graph/graph.h"
#include "tests/unit/emu_runtime/test_module.h"

namespace hostwarp::tests {
namespace {

class GraphTest : public RuntimeTest {
 protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(graph ? cudaGraphDestroy(graph) : cudaSuccess, cudaSuccess);
    RuntimeTest::TearDown();
  }

  template <typename... Arguments>
  cudaGraphNode_t addKernel(const void *kernel, const std::vector<cudaGraphNode_t> &after, Arguments... arguments) {
    void *list[] = {&arguments..., nullptr};
    cudaKernelNodeParams params{};
    params.func = const_cast<void *>(kernel);
    params.gridDim = dim3(1, 1, 1);
    params.blockDim = dim3(1, 1, 1);
    params.kernelParams = list;
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaGraphAddKernelNode(&node, graph, after.data(), after.size(), &params), cudaSuccess);
    return node;
  }

  // addCondition() adds an IF node without dependencies, whose body stores 1.
  void addCondition(cudaGraphConditionalHandle handle, int *where) {
    cudaGraphNodeParams params{};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = handle;
    params.conditional.type = cudaGraphCondTypeIf;
    params.conditional.size = 1;
    cudaGraphNode_t node = nullptr;
    ASSERT_EQ(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params), cudaSuccess);
    cudaGraph_t outer = std::exchange(graph, params.conditional.phGraph_out[0]);
    addKernel(storeInt, {}, where, 1);
    graph = outer;
  }

  static cudaGraph_t created() {
    cudaGraph_t made = nullptr;
    EXPECT_EQ(cudaGraphCreate(&made, 0), cudaSuccess);
    return made;
  }

  // addChild() fills a graph by `build` and makes it a child without dependencies.
  template <typename Build>
  void addChild(cudaGraph_t child, const Build &build) {
    cudaGraph_t outer = std::exchange(graph, child);
    build();
    cudaGraphNodeParams params{};
    params.type = cudaGraphNodeTypeGraph;
    params.graph.graph = graph;
    params.graph.ownership = cudaGraphChildGraphOwnershipMove;
    graph = outer;
    cudaGraphNode_t node = nullptr;
    ASSERT_EQ(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params), cudaSuccess);
  }

  // launchWithLateFlag() launches the graph and sets the flag once the graph has had time to go on without it.
  void launchWithLateFlag(std::atomic<int> &flag) {
    cudaGraphExec_t executable = instantiated();
    ASSERT_EQ(cudaGraphLaunch(executable, nullptr), cudaSuccess);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    flag = 1;
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  }

  cudaGraphExec_t instantiated() {
    cudaGraphExec_t executable = nullptr;
    EXPECT_EQ(cudaGraphInstantiate(&executable, graph, 0ULL), cudaSuccess);
    return executable;
  }

  cudaGraph_t graph = nullptr;
};

int valueAt(const int *where) {
  int value = -1;
  EXPECT_EQ(cudaMemcpy(&value, where, sizeof(value), cudaMemcpyDeviceToHost), cudaSuccess);
  return value;
}

TEST_F(GraphTest, NodeAtFaultInsideOfAChildIsNamed) {
  cudaGraph_t child = nullptr, embedded = nullptr;
  ASSERT_EQ(cudaGraphCreate(&child, 0), cudaSuccess);
  cudaKernelNodeParams params{};
  params.func = const_cast<char *>(bounded);
  params.gridDim = dim3(1 << 20, 1, 1);
  params.blockDim = dim3(1, 1, 1);
  cudaLaunchAttributeValue together{};
  together.cooperative = 1;  // more than can be resident
  cudaGraphNode_t kernel = nullptr, node = nullptr, inside = nullptr;
  ASSERT_EQ(cudaGraphAddKernelNode(&kernel, child, nullptr, 0, &params), cudaSuccess);
  ASSERT_EQ(cudaGraphKernelNodeSetAttribute(kernel, cudaLaunchAttributeCooperative, &together), cudaSuccess);
  ASSERT_EQ(cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, child), cudaSuccess);
  ASSERT_EQ(cudaGraphChildGraphNodeGetGraph(node, &embedded), cudaSuccess);
  size_t count = 1;
  ASSERT_EQ(cudaGraphGetNodes(embedded, &inside, &count), cudaSuccess);
  cudaGraphExec_t executable = nullptr;
  cudaGraphInstantiateParams how{};
  EXPECT_NE(cudaGraphInstantiateWithParams(&executable, graph, &how), cudaSuccess);
  EXPECT_EQ(how.errNode_out, inside);
  (void)cudaGetLastError();
  EXPECT_EQ(cudaGraphDestroy(child), cudaSuccess);
}

TEST_F(GraphTest, StepsWithoutOrderRunSideBySide) {
  // Each kernel waits for a flag that the host sets when it knows that all of them run.
  if (execution::engine().workers() < 2) GTEST_SKIP() << "takes two workers";
  std::atomic<int> first{0};
  int *data = deviceInts(1, 0);
  addKernel(waitForFlag, {}, &first);
  cudaGraphNode_t independent = addKernel(storeInt, {}, data, 5);
  ASSERT_NE(independent, nullptr);
  cudaGraphExec_t executable = instantiated();
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
  while (*static_cast<volatile int *>(data) != 5) std::this_thread::yield();
  EXPECT_EQ(cudaStreamQuery(stream), cudaErrorNotReady);
  first = 1;
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaFree(data), cudaSuccess);
}

TEST_F(GraphTest, LaunchesOfOneExecutableKeepTheirOrderAcrossStreams) {
  std::atomic<int> flag{0};
  int *data = deviceInts(1, 0);
  cudaGraphNode_t waiting = addKernel(waitForFlag, {}, &flag);
  addKernel(addOne, {waiting}, data, 1);
  cudaGraphExec_t executable = instantiated();
  cudaStream_t streams[3];
  for (cudaStream_t &each : streams) {
    ASSERT_EQ(cudaStreamCreateWithFlags(&each, cudaStreamNonBlocking), cudaSuccess);
    ASSERT_EQ(cudaGraphLaunch(executable, each), cudaSuccess);
  }
  EXPECT_EQ(cudaStreamQuery(streams[2]), cudaErrorNotReady);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);  // runs that have begun go on
  flag = 1;
  for (cudaStream_t each : streams) {
    EXPECT_EQ(cudaStreamSynchronize(each), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(each), cudaSuccess);
  }
  EXPECT_EQ(valueAt(data), 3);
  EXPECT_EQ(cudaFree(data), cudaSuccess);
}

TEST_F(GraphTest, AFaultEndsTheRunAndSkipsTheRest) {
  int *data = deviceInts(1, 0);
  cudaEvent_t event = nullptr;
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  cudaGraphNode_t trap = addKernel(divergeTrap, {});
  cudaGraphNode_t after = addKernel(addOne, {trap}, data, 1), record = nullptr;
  ASSERT_EQ(cudaGraphAddEventRecordNode(&record, graph, &after, 1, event), cudaSuccess);
  cudaGraphExec_t executable = instantiated();
  ASSERT_EQ(cudaGraphLaunch(executable, nullptr), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaGraphLaunch(executable, nullptr), cudaErrorLaunchFailure);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  graph = nullptr;
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
}

TEST_F(GraphTest, MemoryThatIsGoneIsAnErrorOfTheRun) {
  int *data = deviceInts(1, 0);
  int host = 0;
  cudaGraphNode_t copy = nullptr;
  ASSERT_EQ(cudaGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, &host, data, sizeof(int), cudaMemcpyDeviceToHost),
            cudaSuccess);
  cudaGraphExec_t executable = instantiated();
  ASSERT_EQ(cudaFree(data), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(executable, nullptr), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  graph = nullptr;
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
}

TEST_F(GraphTest, HandlesOfDestroyedObjectsAreErrors) {
  int *data = deviceInts(1, 0);
  cudaGraphNode_t node = addKernel(addOne, {}, data, 1);
  cudaGraphExec_t executable = instantiated();
  ASSERT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  cudaGraphNodeType type{};
  EXPECT_EQ(cudaGraphNodeGetType(node, &type), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaErrorInvalidValue);
  ASSERT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(executable, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaErrorInvalidValue);
  graph = nullptr;
  EXPECT_EQ(cudaFree(data), cudaSuccess);
}

TEST_F(GraphTest, GraphsInsideOfNodesBelongToTheNode) {
  cudaGraph_t inner = nullptr, embedded = nullptr;
  ASSERT_EQ(cudaGraphCreate(&inner, 0), cudaSuccess);
  cudaGraphNode_t child = nullptr;
  ASSERT_EQ(cudaGraphAddChildGraphNode(&child, graph, nullptr, 0, inner), cudaSuccess);
  ASSERT_EQ(cudaGraphChildGraphNodeGetGraph(child, &embedded), cudaSuccess);
  EXPECT_NE(embedded, inner);
  EXPECT_EQ(cudaGraphDestroy(embedded), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGraphDestroy(inner), cudaSuccess);
}

TEST_F(GraphTest, ChildGraphsRunInPlace) {
  int *data = deviceInts(1, 0);
  cudaGraph_t outer = graph;
  ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
  cudaGraphNode_t a = addKernel(addOne, {}, data, 1);
  addKernel(addOne, {a}, data, 1);
  cudaGraph_t inner = graph;
  graph = outer;
  cudaGraphNode_t first = addKernel(storeInt, {}, data, 10), child = nullptr, empty = nullptr;
  ASSERT_EQ(cudaGraphAddChildGraphNode(&child, graph, &first, 1, inner), cudaSuccess);
  ASSERT_EQ(cudaGraphDestroy(inner), cudaSuccess);
  addKernel(addOne, {child}, data, 1);
  ASSERT_EQ(cudaGraphAddEmptyNode(&empty, graph, &child, 1), cudaSuccess);
  cudaGraphExec_t executable = instantiated();
  ASSERT_EQ(cudaGraphLaunch(executable, nullptr), cudaSuccess);
  EXPECT_EQ(valueAt(data), 13);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaFree(data), cudaSuccess);
}

TEST_F(GraphTest, ConditionsAreLookedAtBehindChildGraphsMadeBefore) {
  std::atomic<int> flag{0};
  int *data = deviceInts(1, 0);
  cudaGraphConditionalHandle handle{};
  ASSERT_EQ(cudaGraphConditionalHandleCreate(&handle, graph, 0, cudaGraphCondAssignDefault), cudaSuccess);
  addChild(created(), [&] { addChild(created(), [&] { addKernel(setCondition, {}, handle, &flag); }); });
  addCondition(handle, data);
  launchWithLateFlag(flag);
  EXPECT_EQ(valueAt(data), 1);
  EXPECT_EQ(cudaFree(data), cudaSuccess);
}

TEST_F(GraphTest, ConditionsInChildGraphsAreLookedAtBehindKernelsMadeBefore) {
  std::atomic<int> flag{0};
  int *data = deviceInts(1, 0);
  cudaGraphConditionalHandle handle{};
  cudaGraph_t child = created();
  ASSERT_EQ(cudaGraphConditionalHandleCreate(&handle, child, 0, cudaGraphCondAssignDefault), cudaSuccess);
  addKernel(setCondition, {}, handle, &flag);
  addChild(child, [&] { addCondition(handle, data); });
  launchWithLateFlag(flag);
  EXPECT_EQ(valueAt(data), 1);
  EXPECT_EQ(cudaFree(data), cudaSuccess);
}

TEST_F(GraphTest, UserObjectsLiveAsLongAsGraphsAndExecutables) {
  static std::atomic<int> destroyed{0};
  destroyed = 0;
  cudaUserObject_t object = nullptr;
  auto destroy = [](void *) { destroyed.fetch_add(1); };
  EXPECT_EQ(cudaUserObjectCreate(&object, nullptr, destroy, 1, 0), cudaErrorInvalidValue);
  ASSERT_EQ(cudaUserObjectCreate(&object, nullptr, destroy, 2, cudaUserObjectNoDestructorSync), cudaSuccess);
  ASSERT_EQ(cudaUserObjectRelease(object, 1), cudaSuccess);
  ASSERT_EQ(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove), cudaSuccess);
  cudaGraphExec_t executable = instantiated();
  ASSERT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  graph = nullptr;
  EXPECT_EQ(destroyed, 0);
  ASSERT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  while (destroyed == 0) std::this_thread::yield();
  EXPECT_EQ(destroyed, 1);
  EXPECT_EQ(cudaUserObjectRelease(object, 1), cudaErrorInvalidValue);
}

TEST_F(GraphTest, PrintsItselfForGraphviz) {
  int *data = deviceInts(1, 0);
  cudaGraphNode_t first = addKernel(addOne, {}, data, 1);
  addKernel(storeInt, {first}, data, 1);
  const std::string path = testing::TempDir() + "graph_test.dot";
  ASSERT_EQ(cudaGraphDebugDotPrint(graph, path.c_str(), cudaGraphDebugDotFlagsVerbose), cudaSuccess);
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_EQ(text.str().substr(0, 7), "digraph");
  EXPECT_NE(text.str().find("addOne"), std::string::npos);
  EXPECT_NE(text.str().find(" -> "), std::string::npos);
  EXPECT_NE(cudaGraphDebugDotPrint(graph, "/nowhere/at/all.dot", 0), cudaSuccess);
  EXPECT_EQ(cudaFree(data), cudaSuccess);
}

TEST_F(GraphTest, MemoryOutlivesItsGraphUntilItIsFreed) {
  cudaMemAllocNodeParams params{};
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location = {cudaMemLocationTypeDevice, 0};
  params.bytesize = 4096;
  cudaGraphNode_t node = nullptr;
  ASSERT_EQ(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &params), cudaSuccess);
  cudaGraphExec_t executable = instantiated();
  EXPECT_EQ(cudaFree(params.dptr), cudaErrorInvalidValue);  // not launched yet
  ASSERT_EQ(cudaGraphLaunch(executable, nullptr), cudaSuccess);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  graph = nullptr;
  EXPECT_EQ(cudaMemset(params.dptr, 1, 4096), cudaSuccess);
  EXPECT_EQ(cudaDeviceGraphMemTrim(0), cudaSuccess);  // takes nothing that is in use
  EXPECT_EQ(cudaMemset(params.dptr, 1, 4096), cudaSuccess);
  EXPECT_EQ(cudaFree(params.dptr), cudaSuccess);
  EXPECT_NE(cudaMemset(params.dptr, 1, 4096), cudaSuccess);
}

TEST_F(GraphTest, StreamsCanBeDestroyedWhileTheirWorkIsCaptured) {
  int *data = deviceInts(1, 0);
  cudaStream_t origin = nullptr, forked = nullptr;
  cudaEvent_t fork = nullptr, join = nullptr;
  ASSERT_EQ(cudaStreamCreate(&origin), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&forked), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&fork), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&join), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(origin, cudaStreamCaptureModeGlobal), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(fork, origin), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(forked, fork, 0), cudaSuccess);
  ASSERT_EQ(launch(addOne, 1, 1, forked, data, 1), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(join, forked), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(origin, join, 0), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(forked), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(fork), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(join), cudaSuccess);
  cudaGraph_t captured = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(origin, &captured), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(captured), cudaSuccess);
  // Destroying the first stream ends the capture; nothing else is held up by it.
  ASSERT_EQ(cudaStreamBeginCapture(origin, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(origin), cudaSuccess);
  EXPECT_EQ(valueAt(data), 0);
  EXPECT_EQ(cudaFree(data), cudaSuccess);
}

// CUDA forbids to remove nodes from a graph that is captured; the capture goes on.
TEST_F(GraphTest, NodesStayWhileTheirGraphIsCaptured) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  cudaGraphNode_t node = nullptr;
  ASSERT_EQ(cudaGraphAddEmptyNode(&node, graph, nullptr, 0), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCaptureToGraph(stream, graph, &node, nullptr, 1, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroyNode(node), cudaErrorIllegalState);
  cudaGraph_t captured = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(stream, &captured), cudaSuccess);
  EXPECT_EQ(captured, graph);
  EXPECT_EQ(cudaGraphDestroyNode(node), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

// The run of a graph holds the graph's context; that of a stream destroyed meanwhile is let go with the context.
TEST_F(GraphTest, RunsOfDestroyedStreamsEndWithTheirContext) {
  const std::weak_ptr<device::Context> context = *device::currentContext();
  cudaHostNodeParams pause{};
  pause.fn = [](void *) { std::this_thread::sleep_for(std::chrono::milliseconds(50)); };
  cudaGraphNode_t node = nullptr;
  ASSERT_EQ(cudaGraphAddHostNode(&node, graph, nullptr, 0, &pause), cudaSuccess);
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(std::exchange(graph, nullptr)), cudaSuccess);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  // The thread that ran the last operation may look at it a little longer.
  for (int i = 0; i < 1000 && !context.expired(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_TRUE(context.expired());
}

// What kernels may launch is held by its runs, which it holds itself.
TEST_F(GraphTest, ExecutablesForKernelsEndWithTheirContext) {
  const std::weak_ptr<device::Context> context = *device::currentContext();
  int *where = deviceInts(1, 0);
  addKernel(storeInt, {}, where, 4);
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, cudaGraphInstantiateFlagDeviceLaunch), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(executable, nullptr), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(std::exchange(graph, nullptr)), cudaSuccess);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  for (int i = 0; i < 1000 && !context.expired(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_TRUE(context.expired());
}

}  // namespace
}  // namespace hostwarp::tests
