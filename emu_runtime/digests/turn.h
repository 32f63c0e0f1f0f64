// Turn: one call of the API, while others wait; what it has done is told to `hostwarp compare`.
#ifndef HOSTWARP_EMU_RUNTIME_DIGESTS_TURN_H
#define HOSTWARP_EMU_RUNTIME_DIGESTS_TURN_H

#include <driver_types.h>

#include <cstddef>
#include <memory>
#include <string>

#include "emu_runtime/digests/objects.h"
#include "fibers/mutex.h"

namespace hostwarp::digests {

struct Session;

// Shape is that of a launch.
struct Shape {
  dim3 grid, block;
  size_t sharedBytes = 0;
};

// Region is rows of memory: `rows` of `width` bytes, `pitch` apart, and as many such slices, `slicePitch` apart.
struct Region {
  const void *start = nullptr;
  size_t width = 0;
  size_t rows = 1, pitch = 0;
  size_t slices = 1, slicePitch = 0;
};

class Turn {
 public:
  // begin() waits for the turn. pre: the thread is in a machine::Quiet, as with all below. Null where nothing is
  // compared: within another call, in a forked process, and when `hostwarp compare` has gone. `call` is the entry's
  // name.
  static std::unique_ptr<Turn> begin(const char *call, bool isPerThread);
  ~Turn();
  Turn(const Turn &) = delete;
  Turn &operator=(const Turn &) = delete;

  // setError() names what the call has returned, where it has failed.
  void setError(const char *name) { error_ = name; }
  bool failed() const { return !error_.empty(); }

  // What a call has done to memory. releasing() comes before it does so.
  void made(const void *start, size_t bytes, Side side);
  // madeReachable() is for memory that has been mapped, with what it holds, unless it is known.
  void madeReachable(const void *start, size_t bytes);
  // madeInStream() leaves out what becomes a node of a graph.
  void madeInStream(const void *start, size_t bytes, cudaStream_t stream);
  void releasing(const void *start);
  void releasingAll();

  // willLaunch() tells of what the host has written to memory that kernels share with it.
  void willLaunch();

  // What a call has had a stream do. Each blocks until it is done and, but for waitFor(), told of.
  void launchedKernel(const std::string &name, const Shape &shape, void *const *arguments, cudaStream_t stream);
  void launchedGraph(cudaStream_t stream);
  void copied(const Region &to, cudaStream_t stream) { moved("copy", to, stream); }
  void filled(const Region &to, cudaStream_t stream) { moved("fill", to, stream); }
  void waitFor(cudaStream_t stream);

 private:
  Turn(Session &session, const char *call, bool isPerThread);
  void moved(const char *kind, const Region &to, cudaStream_t stream);
  // done() waits, unless the call has failed; false where the work is part of a graph to be.
  bool done(compare_wire::Work &work, cudaStream_t stream);
  cudaStream_t own(cudaStream_t stream) const;
  void look(Object &object, compare_wire::Work &work);
  void lookAtAll(compare_wire::Work &work);
  void lookAtHost(const Region &region, compare_wire::Work &work);
  void addVariables();
  void tell(compare_wire::Work &work);

  Session &session_;
  const MutexLock lock_;
  const char *const call_;
  const bool isPerThread_;
  std::string error_;
};

// noteVariable() is for constructors of programs: a variable of device code, by the host's for it. Thread-safe.
void noteVariable(const void *hostVariable, const char *deviceName, size_t bytes);

}  // namespace hostwarp::digests

#endif  // HOSTWARP_EMU_RUNTIME_DIGESTS_TURN_H
