// Stream and StreamSet: in-order queues and the order between them.
#ifndef HOSTWARP_EMU_RUNTIME_STREAM_STREAM_H
#define HOSTWARP_EMU_RUNTIME_STREAM_STREAM_H

#include <driver_types.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "emu_runtime/stream/operation.h"
#include "fibers/mutex.h"

namespace hostwarp::graph {
struct Branch;
}

namespace hostwarp::stream {

// StreamKind tells how a stream relates to the legacy default stream [CUDA 13: 3.1.2 default stream].
enum class StreamKind : uint8_t { Legacy, Blocking, NonBlocking };

class StreamSet;

// Stream is one in-order queue. It only remembers its last operation; the order is in the operations themselves.
class Stream {
 public:
  Stream(StreamKind kind, int priority, uint64_t id) : kind_(kind), priority_(priority), id_(id) {}

  StreamKind kind() const { return kind_; }
  unsigned flags() const { return kind_ == StreamKind::NonBlocking ? cudaStreamNonBlocking : cudaStreamDefault; }
  int priority() const { return priority_.load(std::memory_order_relaxed); }
  void setPriority(int priority) { priority_.store(priority, std::memory_order_relaxed); }
  uint64_t id() const { return id_; }

  // freeMark() is for the next free in this stream; thread-safe. serial() tells it from all streams of the process.
  memory::FreeMark freeMark() { return {serial_, frees_.fetch_add(1, std::memory_order_relaxed) + 1}; }
  uint64_t serial() const { return serial_; }

  // attributes() are the hints that the program gave the stream. Thread-safe, as setAttribute().
  std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue> attributes() const {
    MutexLock lock(attributesMutex_);
    return attributes_;
  }
  void setAttributes(std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue> attributes) {
    MutexLock lock(attributesMutex_);
    attributes_ = std::move(attributes);
  }
  void setAttribute(cudaLaunchAttributeID id, const cudaLaunchAttributeValue &value) {
    MutexLock lock(attributesMutex_);
    attributes_[id] = value;
  }

  // What a capture knows of the stream while it captures; belongs to emu_runtime/graph.
  std::shared_ptr<graph::Branch> branch;

 private:
  friend class StreamSet;

  static uint64_t nextSerial() {
    static std::atomic<uint64_t> last{0};
    return ++last;
  }

  const StreamKind kind_;
  std::atomic<int> priority_;
  const uint64_t id_;
  const uint64_t serial_ = nextSerial();
  std::atomic<uint64_t> frees_{0};
  mutable Mutex attributesMutex_;
  std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue> attributes_ HOSTWARP_GUARDED_BY(attributesMutex_);
  uint64_t operations_ = 0;         // guarded by StreamSet::mutex_; how many have been enqueued in order
  OperationRef tail_;               // guarded by StreamSet::mutex_; null or done when the stream is idle
  memory::FreeOrder::Ref follows_;  // guarded by StreamSet::mutex_; which frees come before new work, not counting
                                    // those that it follows because of the legacy stream
  order::Clock::Ref clock_;         // guarded by StreamSet::mutex_; in checked runs, what comes before new work, but
                                    // for what the legacy stream's rules add
  uint64_t marks_ = 0;              // guarded by StreamSet::mutex_; of its operations in clocks
};

// StreamSet is the streams of one context. Work in the legacy stream waits for the work of every blocking stream
// enqueued before it and holds up what is enqueued behind it. Thread-safe; nothing here blocks but the wait functions.
class StreamSet {
 public:
  explicit StreamSet(std::shared_ptr<ContextState> state);

  const std::shared_ptr<Stream> &legacy() const { return legacy_; }

  // create() makes a stream of this context.
  std::shared_ptr<Stream> create(StreamKind kind, int priority);

  // release() forgets the stream; work already in it still runs.
  void release(const std::shared_ptr<Stream> &stream);

  // enqueue() appends `operation` to the stream; `extra` are further operations that it has to wait for.
  void enqueue(Stream &stream, const OperationRef &operation, std::span<const OperationRef> extra = {});

  // enqueueFree() is enqueue() for the operation that frees memory as `mark`.
  void enqueueFree(Stream &stream, const OperationRef &operation, const memory::FreeMark &mark);

  // follow() has the stream follow what has been waited for already, so that only the order of frees is left of it.
  void follow(Stream &stream, const OperationRef &done);

  // follows() is which frees come before work that is enqueued in the stream now.
  memory::FreeOrder::Ref follows(const Stream &stream);

  // clockOf() is what comes before work that is enqueued in the stream now, in checked runs.
  order::Clock::Ref clockOf(const Stream &stream);

  // forgetFrees() is for when the host has waited for all of them.
  void forgetFrees();

  // enqueueOverlapping() appends an operation that need not wait for the end of the stream's last one, but only until
  // that has released it. `prerequisites` is scheduled to be done when everything before the operation is.
  void enqueueOverlapping(Stream &stream, const OperationRef &operation, const OperationRef &prerequisites);

  // pendingOf() returns the unfinished operations that work enqueued in the stream now would wait for: empty when the
  // stream is idle.
  FewOperations pendingOf(const Stream &stream);

  // pending() returns unfinished operations that together stand for all work of the context.
  std::vector<OperationRef> pending();

  // holdUp() makes all work that is enqueued from now on wait for `operation` too.
  void holdUp(const OperationRef &operation);

  // isDone() tells whether all that was enqueued in the stream is done: with the legacy stream, in the blocking ones, too.
  bool isDone(const Stream &stream);

  // idle() tells whether work enqueued in the stream now would start at once.
  bool idle(const Stream &stream);

  // wait() blocks until all work enqueued in the stream before the call is done.
  void wait(const Stream &stream);
  // waitAll() does so for the whole context.
  void waitAll();
  // dropFinished() lets go of operations that are done: a graph's run holds the context that holds this.
  void dropFinished();

 private:
  static bool busy(const OperationRef &operation) { return operation && !operation->done(); }
  void collect(const Stream &stream, FewOperations &out) HOSTWARP_REQUIRES(mutex_);
  memory::FreeOrder::Ref followsNow(const Stream &stream) const HOSTWARP_REQUIRES(mutex_);
  order::Clock::Ref clockNow(const Stream &stream) const HOSTWARP_REQUIRES(mutex_);
  order::Clock::Ref clockOfAll() const HOSTWARP_REQUIRES(mutex_);
  void mark(Stream &stream, Operation &operation, std::span<const OperationRef> extra) HOSTWARP_REQUIRES(mutex_);
  void append(Stream &stream, const OperationRef &operation, std::span<const OperationRef> extra,
              const memory::FreeMark *mark);
  void order(Stream &stream, Operation &operation, std::span<const OperationRef> extra, const memory::FreeMark *mark)
      HOSTWARP_REQUIRES(mutex_);
  void dropFinishedOrphans() HOSTWARP_REQUIRES(mutex_);

  const std::shared_ptr<ContextState> state_;
  Mutex mutex_;
  std::shared_ptr<Stream> legacy_;                                            // set once
  std::vector<std::shared_ptr<Stream>> streams_ HOSTWARP_GUARDED_BY(mutex_);  // without the legacy stream
  struct Orphan {
    StreamKind kind;
    OperationRef tail;
  };
  OperationRef gate_ HOSTWARP_GUARDED_BY(mutex_);            // what everything waits for
  std::vector<Orphan> orphans_ HOSTWARP_GUARDED_BY(mutex_);  // last operations of released streams
  // Clocks of the gate, and of released streams.
  order::Clock::Ref gateClock_ HOSTWARP_GUARDED_BY(mutex_), releasedBlocking_ HOSTWARP_GUARDED_BY(mutex_),
      releasedOthers_ HOSTWARP_GUARDED_BY(mutex_);
  uint64_t nextId_ HOSTWARP_GUARDED_BY(mutex_) = 2;
};

}  // namespace hostwarp::stream

#endif  // HOSTWARP_EMU_RUNTIME_STREAM_STREAM_H
