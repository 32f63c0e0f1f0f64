#include "emu_runtime/graph/capture.h"

#include <algorithm>
#include <atomic>
#include <unordered_set>
#include <utility>

#include "fibers/mutex.h"

namespace hostwarp::graph {

namespace {

using CaptureRef = std::shared_ptr<Capture>;

Mutex mutex;
std::atomic<int> active{0};  // captures that have not ended

// captures() is all that have not ended.
std::vector<CaptureRef> &captures() HOSTWARP_REQUIRES(mutex) {
  static auto *all = new std::vector<CaptureRef>;
  return *all;
}

thread_local cudaStreamCaptureMode threadMode = cudaStreamCaptureModeGlobal;

Branch *branchOf(const device::StreamRef &target) HOSTWARP_REQUIRES(mutex) { return target.stream->branch.get(); }

// join() does all or, where the host's memory has run out, nothing.
void join(const CaptureRef &capture, const device::StreamRef &target, std::vector<Edge> dependencies)
    HOSTWARP_REQUIRES(mutex) {
  auto branch = std::make_shared<Branch>(Branch{capture, std::move(dependencies), {}, {}});
  capture->streams.push_back(target);
  target.stream->branch = std::move(branch);
}

void finish(const CaptureRef &capture) HOSTWARP_REQUIRES(mutex) {
  for (const device::StreamRef &each : capture->streams) each.stream->branch = nullptr;
  capture->streams.clear();
  capture->ended = true;
  --capture->graph->captures;
  std::erase(captures(), capture);
  active.fetch_sub(1);
}

// forbids() tells whether a capture keeps the calling thread from unsafe calls.
bool forbids(const Capture &capture) {
  const bool mine = capture.thread == std::this_thread::get_id() && capture.mode != cudaStreamCaptureModeRelaxed;
  switch (threadMode) {
    case cudaStreamCaptureModeGlobal:
      return mine || capture.mode == cudaStreamCaptureModeGlobal;
    case cudaStreamCaptureModeThreadLocal:
      return mine;
    case cudaStreamCaptureModeRelaxed:
      return false;
  }
  return false;
}

bool blockingStreamOf(const Capture &capture, const device::ContextRef &context) {
  return std::any_of(capture.streams.begin(), capture.streams.end(), [&](const device::StreamRef &each) {
    return each.context == context && each.stream->kind() == stream::StreamKind::Blocking;
  });
}

// invalidateIf() invalidates the captures that `predicate` is true for; true if there was one.
template <typename Predicate>
bool invalidateIf(Predicate predicate) HOSTWARP_REQUIRES(mutex) {
  bool any = false;
  for (const CaptureRef &capture : captures()) {
    if (!predicate(*capture)) continue;
    capture->invalidated = true;
    any = true;
  }
  return any;
}

void addNew(std::vector<Edge> &to, const std::vector<Edge> &from) {
  for (const Edge &edge : from) {
    const bool known = std::any_of(to.begin(), to.end(), [&](const Edge &each) { return each.node == edge.node; });
    if (!known) to.push_back(edge);
  }
}

// waitForTriggers() makes edges from kernels programmatic, for a launch that may overlap with them.
void waitForTriggers(std::vector<Edge> &edges, const cudaGraphEdgeData &data) {
  for (Edge &edge : edges)
    if (edge.node->type() == cudaGraphNodeTypeKernel) edge.data = data;
}

// waitForEnds() makes programmatic edges full ones, for a node that is no kernel: only kernels can overlap.
void waitForEnds(std::vector<Edge> &edges) {
  for (Edge &edge : edges)
    if (edge.data.type == cudaGraphDependencyTypeProgrammatic) edge.data = {};
}

// unjoined() tells whether another stream of the capture has work that the origin does not wait for.
bool unjoined(const Capture &capture) HOSTWARP_REQUIRES(mutex) {
  std::unordered_set<const Node *> reached;
  std::vector<const Node *> open;
  auto visit = [&](const std::vector<Edge> &edges) {
    for (const Edge &edge : edges) {
      if (reached.insert(edge.node).second) open.push_back(edge.node);
    }
  };
  visit(branchOf(capture.streams.front())->dependencies);
  visit(capture.takenOut);
  while (!open.empty()) {
    const Node *node = open.back();
    open.pop_back();
    visit(node->dependencies());
  }
  return std::any_of(capture.streams.begin(), capture.streams.end(), [&](const device::StreamRef &each) {
    mutex.assertHeld();
    const auto &edges = branchOf(each)->dependencies;
    return std::any_of(edges.begin(), edges.end(), [&](const Edge &edge) { return !reached.contains(edge.node); });
  });
}

State stateOf(Branch &branch) HOSTWARP_REQUIRES(mutex) {
  State state{cudaStreamCaptureStatusActive, branch.capture->id, branch.capture->graph->handle()};
  branch.handles.clear();
  branch.edges.clear();
  for (const Edge &edge : branch.dependencies) {
    branch.handles.push_back(edge.node->handle());
    branch.edges.push_back(edge.data);
    state.plainEdges = state.plainEdges && edge == Edge{edge.node, {}};
  }
  state.dependencies = branch.handles;
  state.edges = branch.edges;
  return state;
}

}  // namespace

bool capturing(const device::StreamRef &target) {
  if (active.load(std::memory_order_acquire) == 0) return false;
  MutexLock lock(mutex);
  return branchOf(target) != nullptr;
}

Status mayUse(const device::StreamRef &target, device::InCapture inCapture) {
  if (active.load(std::memory_order_acquire) == 0) return {};
  MutexLock lock(mutex);
  if (target.stream->kind() == stream::StreamKind::Legacy) {
    const bool implied = invalidateIf([&](const Capture &each) { return blockingStreamOf(each, target.context); });
    return implied ? Status(cudaErrorStreamCaptureImplicit, "the legacy stream waits for a stream that is capturing")
                   : Status();
  }
  Branch *branch = branchOf(target);
  if (!branch) return {};
  if (inCapture == device::InCapture::Refuse) {
    branch->capture->invalidated = true;
    return {cudaErrorStreamCaptureUnsupported, "a stream that is capturing cannot do this"};
  }
  return branch->capture->invalidated ? Status(cudaErrorStreamCaptureInvalidated) : Status();
}

Status refuseUnsafe() {
  if (active.load(std::memory_order_acquire) == 0) return {};
  MutexLock lock(mutex);
  if (!invalidateIf(forbids)) return {};
  return {cudaErrorStreamCaptureUnsupported, "this call is not allowed while a stream captures"};
}

Status refuseWait(const device::ContextRef &context) {
  if (active.load(std::memory_order_acquire) == 0) return {};
  MutexLock lock(mutex);
  const bool any = invalidateIf([&](const Capture &capture) {
    return std::any_of(capture.streams.begin(), capture.streams.end(),
                       [&](const device::StreamRef &each) { return each.context == context; });
  });
  return any ? Status(cudaErrorStreamCaptureUnsupported, "the device has a stream that is capturing") : Status();
}

Status refuseLaunch(const device::StreamRef &target, const Status &why) {
  MutexLock lock(mutex);
  if (Branch *branch = branchOf(target)) branch->capture->invalidated = true;
  return why.code() == cudaErrorInvalidClusterSize ? why : Status(cudaErrorInvalidValue, why.message());
}

Status capture(const device::StreamRef &target, Params params) {
  MutexLock lock(mutex);
  Branch *branch = branchOf(target);
  if (!branch) return cudaErrorUnknown;  // another thread ended the capture
  const auto *kernel = std::get_if<KernelParams>(&params);
  if (!kernel)
    waitForEnds(branch->dependencies);
  else if (kernel->configuration.overlaps)
    waitForTriggers(branch->dependencies,
                    {cudaGraphKernelNodePortProgrammatic, 0, cudaGraphDependencyTypeProgrammatic, {}});
  std::vector<Edge> next(1);  // what needs memory comes before the node
  auto node = branch->capture->graph->add(std::move(params), branch->dependencies, target.context);
  if (!node.ok()) return node.status();
  next.front().node = *node;
  branch->dependencies = std::move(next);
  return {};
}

Status recordEvent(const device::StreamRef &target, const device::EventRef &event, cudaEvent_t handle, unsigned flags) {
  if (flags == cudaEventRecordExternal) return capture(target, RecordParams{handle, event});
  MutexLock lock(mutex);
  Branch *branch = branchOf(target);
  if (!branch) return cudaErrorUnknown;
  event.event->setCaptured(std::make_shared<CapturedPoint>(CapturedPoint{branch->capture, branch->dependencies}));
  return {};
}

Status recordTrigger(const device::StreamRef &target, const device::EventRef &event, const cudaGraphEdgeData &data) {
  MutexLock lock(mutex);
  Branch *branch = branchOf(target);
  if (!branch) return cudaErrorUnknown;
  CapturedPoint point{branch->capture, branch->dependencies};
  waitForTriggers(point.dependencies, data);
  event.event->setCaptured(std::make_shared<CapturedPoint>(std::move(point)));
  return {};
}

Expected<bool> waitForEvent(const device::StreamRef &target, const device::EventRef &event, cudaEvent_t handle,
                            unsigned flags) {
  const auto point = event.event->captured();
  if (!point && !capturing(target)) return false;
  if (!point && flags == cudaEventWaitExternal) {
    Status status = capture(target, WaitParams{handle, event});
    return status.ok() ? Expected<bool>(true) : Expected<bool>(status);
  }
  if (!point && !event.event->recorded()) return true;  // nothing to wait for
  MutexLock lock(mutex);
  Branch *branch = branchOf(target);
  if (!point) {
    branch->capture->invalidated = true;
    return Status(cudaErrorStreamCaptureIsolation, "the event was not recorded in this capture");
  }
  Capture &capture = *point->capture;
  if (capture.ended) return Status(cudaErrorInvalidValue, "the event was recorded in a capture that has ended");
  if (capture.invalidated) return cudaErrorStreamCaptureInvalidated;
  if (branch && branch->capture != point->capture) {
    branch->capture->invalidated = capture.invalidated = true;
    return Status(cudaErrorStreamCaptureMerge, "the event was recorded in another capture");
  }
  if (branch) {
    addNew(branch->dependencies, point->dependencies);
  } else {
    join(point->capture, target, point->dependencies);
  }
  return true;
}

Status checkEvent(const device::EventRef &event, EventUse use) {
  const auto point = event.event->captured();
  if (!point) return {};
  MutexLock lock(mutex);
  if (point->capture->ended || point->capture->invalidated) return cudaErrorInvalidValue;
  point->capture->invalidated = use == EventUse::Wait;
  return {cudaErrorCapturedEvent, "the event was recorded in a stream that is capturing"};
}

Status begin(const device::StreamRef &target, GraphRef into, std::vector<Edge> dependencies,
             cudaStreamCaptureMode mode) {
  static std::atomic<uint64_t> nextId{1};
  if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed) return cudaErrorInvalidValue;
  if (target.stream->kind() == stream::StreamKind::Legacy) {
    return {cudaErrorStreamCaptureUnsupported, "the legacy stream cannot capture"};
  }
  MutexLock lock(mutex);
  if (branchOf(target)) return {cudaErrorIllegalState, "the stream is capturing already"};
  auto capture = std::make_shared<Capture>();
  capture->made = !into;
  capture->graph = into ? std::move(into) : Graph::create();
  capture->mode = mode;
  capture->thread = std::this_thread::get_id();
  capture->id = nextId.fetch_add(1);
  captures().reserve(captures().size() + 1);
  join(capture, target, std::move(dependencies));
  captures().push_back(capture);
  ++capture->graph->captures;
  active.fetch_add(1, std::memory_order_release);
  return {};
}

Expected<Captured> end(const device::StreamRef &target) {
  MutexLock lock(mutex);
  Branch *branch = branchOf(target);
  if (!branch) return Status(cudaErrorIllegalState, "the stream is not capturing");
  const CaptureRef capture = branch->capture;
  if (capture->streams.front().stream != target.stream) {
    capture->invalidated = true;
    return Status(cudaErrorStreamCaptureUnmatched, "the capture began in another stream");
  }
  const bool wrongThread =
      capture->mode != cudaStreamCaptureModeRelaxed && capture->thread != std::this_thread::get_id();
  const bool open = unjoined(*capture);
  finish(capture);
  if (wrongThread) return Status(cudaErrorStreamCaptureWrongThread, "another thread began the capture");
  if (capture->invalidated) return cudaErrorStreamCaptureInvalidated;
  if (open) {
    return Status(cudaErrorStreamCaptureUnjoined, "another stream has captured work that the first does not wait for");
  }
  return Captured{std::exchange(capture->graph, nullptr), capture->made};
}

void forget(const device::StreamRef &target) {
  if (active.load(std::memory_order_acquire) == 0) return;
  MutexLock lock(mutex);
  Branch *branch = branchOf(target);
  if (!branch) return;
  // What another stream than the first has captured stays, and has to be joined like that of a living one.
  const CaptureRef capture = branch->capture;
  if (capture->streams.front().stream == target.stream) finish(capture);
}

cudaStreamCaptureMode exchangeMode(cudaStreamCaptureMode mode) { return std::exchange(threadMode, mode); }

Expected<State> stateOf(const device::StreamRef &target) {
  MutexLock lock(mutex);
  Branch *branch = branchOf(target);
  if (branch) {
    const Capture &capture = *branch->capture;
    if (capture.invalidated) return State{cudaStreamCaptureStatusInvalidated, capture.id, nullptr};
    return stateOf(*branch);
  }
  const bool legacy = target.stream->kind() == stream::StreamKind::Legacy;
  const bool implied = legacy && std::any_of(captures().begin(), captures().end(), [&](const CaptureRef &each) {
                         return blockingStreamOf(*each, target.context);
                       });
  return implied ? Expected<State>(cudaErrorStreamCaptureImplicit) : Expected<State>(State{});
}

Status updateDependencies(const device::StreamRef &target, std::span<const Edge> dependencies, bool replace) {
  MutexLock lock(mutex);
  Branch *branch = branchOf(target);
  if (!branch) return {cudaErrorIllegalState, "the stream is not capturing"};
  for (const Edge &edge : dependencies) {
    if (!edge.node || &edge.node->graph() != branch->capture->graph.get()) return cudaErrorInvalidValue;
  }
  if (replace) {
    addNew(branch->capture->takenOut, branch->dependencies);
    branch->dependencies.clear();
  }
  addNew(branch->dependencies, {dependencies.begin(), dependencies.end()});
  return {};
}

}  // namespace hostwarp::graph
