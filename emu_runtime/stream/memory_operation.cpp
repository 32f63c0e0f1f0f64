#include "emu_runtime/stream/memory_operation.h"

#include <atomic>
#include <type_traits>
#include <utility>

#include "emu_runtime/memory/allocation_table.h"
#include "emu_runtime/memory/memory_observer.h"
#include "emu_runtime/stream/polling.h"
#include "fibers/fault_guard.h"

namespace hostwarp::stream {

namespace {

using State = std::shared_ptr<ContextState>;

// wordAt() is the integer in memory that is waited for or written.
template <typename Value>
Expected<std::atomic<Value> *> wordAt(CUdeviceptr address) {
  void *place = reinterpret_cast<void *>(address);  // NOLINT(performance-no-int-to-ptr)
  if (address % sizeof(Value)) return cudaErrorInvalidValue;
  if (!memory::AllocationTable::process().find(place)) return cudaErrorInvalidValue;
  return static_cast<std::atomic<Value> *>(place);
}

template <typename Value>
bool fulfilled(Value have, Value wanted, unsigned condition) {
  switch (condition) {
    case CU_STREAM_WAIT_VALUE_GEQ:
      return static_cast<std::make_signed_t<Value>>(have - wanted) >= 0;
    case CU_STREAM_WAIT_VALUE_EQ:
      return have == wanted;
    case CU_STREAM_WAIT_VALUE_AND:
      return (have & wanted) != 0;
    default:
      return static_cast<Value>(~(have | wanted)) != 0;
  }
}

// wait() polls: whoever writes the word tells nobody.
template <typename Value>
bool wait(std::atomic<Value> *word, Value wanted, unsigned condition, const ContextState &state) {
  bool there = true;
  pollUntil(state, [&] {
    Value have = 0;
    there = fibers::withinReach([&] { have = word->load(std::memory_order_acquire); });
    return !there || fulfilled(have, wanted, condition);
  });
  return there;
}

template <typename Value>
Expected<MemoryOperation> waitFor(CUdeviceptr address, Value wanted, unsigned flags, const State &state) {
  const unsigned condition = flags & ~unsigned{CU_STREAM_WAIT_VALUE_FLUSH};
  if (condition > CU_STREAM_WAIT_VALUE_NOR) return cudaErrorInvalidValue;
  auto word = wordAt<Value>(address);
  if (!word.ok()) return word.status();
  return MemoryOperation{[word = *word, wanted, condition, state] { return wait(word, wanted, condition, *state); },
                         true};
}

template <typename Value>
Expected<MemoryOperation> write(CUdeviceptr address, Value value, unsigned flags) {
  if (flags & ~unsigned{CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER}) return cudaErrorInvalidValue;
  auto word = wordAt<Value>(address);
  if (!word.ok()) return word.status();
  return MemoryOperation{[word = *word, value] {
    const bool isThere = fibers::withinReach([&] { word->store(value, std::memory_order_release); });
    if (isThere && memory::memoryObserver != nullptr)
      memory::memoryObserver->filled({reinterpret_cast<char *>(word), 0, 0}, {sizeof value, 1, 1});
    return isThere;
  }};
}

// All writes here are seen in order, so barriers have nothing to do.
Expected<MemoryOperation> nothing(bool valid) {
  if (!valid) return cudaErrorInvalidValue;
  return MemoryOperation{[] { return true; }};
}

}  // namespace

Expected<MemoryOperation> memoryOperation(const CUstreamBatchMemOpParams &params, const State &state) {
  const auto &w = params.waitValue;
  const auto &v = params.writeValue;
  switch (params.operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
      return waitFor<uint32_t>(w.address, w.value, w.flags, state);
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
      return waitFor<uint64_t>(w.address, w.value64, w.flags, state);
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
      return write<uint32_t>(v.address, v.value, v.flags);
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
      return write<uint64_t>(v.address, v.value64, v.flags);
    case CU_STREAM_MEM_OP_BARRIER:
      return nothing(params.memoryBarrier.flags <= CU_STREAM_MEMORY_BARRIER_TYPE_GPU);
    case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
      return nothing(params.flushRemoteWrites.flags == 0);
  }
  return cudaErrorInvalidValue;
}

}  // namespace hostwarp::stream
