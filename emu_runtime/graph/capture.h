// Stream capture: what is put into a stream becomes nodes of a graph instead of running [CUDA 4.2.2.1.2].
#ifndef HOSTWARP_EMU_RUNTIME_GRAPH_CAPTURE_H
#define HOSTWARP_EMU_RUNTIME_GRAPH_CAPTURE_H

#include <driver_types.h>

#include <cstdint>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "emu_runtime/device/current.h"
#include "emu_runtime/graph/graph.h"
#include "emu_runtime/graph/params.h"
#include "emu_runtime/support/status.h"

namespace hostwarp::graph {

// Capture is one capture sequence, from cudaStreamBeginCapture() to cudaStreamEndCapture(). One lock guards all
// captures of the process and everything below; graphs that are being captured belong to it, too.
struct Capture {
  GraphRef graph;
  cudaStreamCaptureMode mode;
  std::thread::id thread;  // that began it
  uint64_t id;
  bool made;  // the graph is the capture's own, not one that the program passed in
  bool invalidated = false;
  bool ended = false;
  std::vector<device::StreamRef> streams;  // capturing; the first one is the origin
  std::vector<Edge> takenOut;              // dependencies that the program has replaced: nobody has to join them
};

// Branch is a capturing stream's place in its capture: what the next node will depend on.
struct Branch {
  std::shared_ptr<Capture> capture;
  std::vector<Edge> dependencies;
  // What cudaStreamGetCaptureInfo() last handed out.
  std::vector<cudaGraphNode_t> handles;
  std::vector<cudaGraphEdgeData> edges;
};

// CapturedPoint is what an event recorded in a capturing stream stands for.
struct CapturedPoint {
  std::shared_ptr<Capture> capture;
  std::vector<Edge> dependencies;
};

// capturing() tells whether the stream is part of a capture. Cheap while there is none.
bool capturing(const device::StreamRef &target);

// mayUse() fails where a capture forbids the use of a stream: of a capturing one for work that cannot be recorded, of
// the legacy stream while a blocking stream captures, of a stream whose capture is invalid.
Status mayUse(const device::StreamRef &target, device::InCapture inCapture);

// refuseUnsafe() fails, and invalidates captures, if the calling thread must not make calls that may disturb them:
// allocations, synchronisation [cudaThreadExchangeStreamCaptureMode].
Status refuseUnsafe();
// refuseWait() fails likewise if any stream of the context is capturing.
Status refuseWait(const device::ContextRef &context);

// refuseLaunch() is what a launch with this configuration error means in a capturing stream: the end of the capture.
// pre: capturing(target).
Status refuseLaunch(const device::StreamRef &target, const Status &why);

// capture() adds a node behind what the stream has captured so far. pre: capturing(target).
Status capture(const device::StreamRef &target, Params params);

// The two halves of an event: recordEvent() makes it stand for what the capturing stream has captured; waitForEvent()
// makes the stream's next node depend on it, which may make the stream capturing. waitForEvent() is true when that was
// all, false when neither stream nor event belongs to a capture.
Status recordEvent(const device::StreamRef &target, const device::EventRef &event, cudaEvent_t handle, unsigned flags);
// recordTrigger() makes the event stand for the moment in which the kernel that the stream has captured last lets
// others begin; its waiters get edges with this data.
Status recordTrigger(const device::StreamRef &target, const device::EventRef &event, const cudaGraphEdgeData &data);
Expected<bool> waitForEvent(const device::StreamRef &target, const device::EventRef &event, cudaEvent_t handle,
                            unsigned flags);
// EventUse is what the host wants of an event: to wait for it, or ask whether it need, which ends a capture that the
// event was recorded in, or its time alone.
enum class EventUse { Wait, Timing };
// checkEvent() fails if the host cannot use the event so.
Status checkEvent(const device::EventRef &event, EventUse use);

// Implementation of the functions of the API with these names.
Status begin(const device::StreamRef &target, GraphRef into, std::vector<Edge> dependencies,
             cudaStreamCaptureMode mode);
// Captured is what a capture leaves; `made` tells that the graph is a new one, for the program to own.
struct Captured {
  GraphRef graph;
  bool made;
};
Expected<Captured> end(const device::StreamRef &target);
// forget() is called for a stream that is destroyed, which ends the capture that began there.
void forget(const device::StreamRef &target);
cudaStreamCaptureMode exchangeMode(cudaStreamCaptureMode mode);

// State is what the program may ask about a stream.
struct State {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  uint64_t id = 0;
  // Of an active capture. The lists are there until the stream's next call.
  cudaGraph_t graph = nullptr;
  std::span<const cudaGraphNode_t> dependencies = {};
  std::span<const cudaGraphEdgeData> edges = {};
  bool plainEdges = true;  // edges say nothing but that there is one
};
// stateOf() fails for the legacy stream while a blocking stream captures, which it leaves valid.
Expected<State> stateOf(const device::StreamRef &target);
Status updateDependencies(const device::StreamRef &target, std::span<const Edge> dependencies, bool replace);

}  // namespace hostwarp::graph

#endif  // HOSTWARP_EMU_RUNTIME_GRAPH_CAPTURE_H
