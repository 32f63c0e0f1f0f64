// HandleTable: the objects behind the opaque handles that the API gives out.
#ifndef HOSTWARP_EMU_RUNTIME_DEVICE_HANDLE_TABLE_H
#define HOSTWARP_EMU_RUNTIME_DEVICE_HANDLE_TABLE_H

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>

#include "fibers/mutex.h"

namespace hostwarp::device {

// HandleTable maps handles to objects of type `Object` (copied out, so usually something that shares ownership).
// Handles are numbers in pointer's clothing and never used twice: null, stale and invented handles are told from live
// ones without touching what they point at. Thread-safe.
template <typename Handle, typename Object>
class HandleTable {
 public:
  // add() stores the object under a new handle.
  Handle add(Object object) {
    WriterLock lock(mutex_);
    const uintptr_t value = next_;
    next_ += spacing;
    objects_.emplace(value, std::move(object));
    return reinterpret_cast<Handle>(value);  // NOLINT(performance-no-int-to-ptr)
  }

  // find() returns the object of a live handle.
  std::optional<Object> find(Handle handle) const {
    ReaderLock lock(mutex_);
    auto found = objects_.find(reinterpret_cast<uintptr_t>(handle));
    if (found == objects_.end()) return std::nullopt;
    return found->second;
  }

  // wasGivenOut() tells a handle that is live or stale from an invented one.
  bool wasGivenOut(Handle handle) const {
    ReaderLock lock(mutex_);
    const auto value = reinterpret_cast<uintptr_t>(handle);
    return value >= first && value < next_ && (value - first) % spacing == 0;
  }

  // take() removes the handle and returns its object.
  std::optional<Object> take(Handle handle) {
    WriterLock lock(mutex_);
    auto found = objects_.find(reinterpret_cast<uintptr_t>(handle));
    if (found == objects_.end()) return std::nullopt;
    Object object = std::move(found->second);
    objects_.erase(found);
    return object;
  }

  // handleOf() returns the handle of an object that is in the table.
  std::optional<Handle> handleOf(const Object &object) const {
    ReaderLock lock(mutex_);
    for (const auto &[value, known] : objects_) {
      if (known == object) return reinterpret_cast<Handle>(value);  // NOLINT(performance-no-int-to-ptr)
    }
    return std::nullopt;
  }

  // findIf() returns the handle of some object that `predicate` is true for.
  template <typename Predicate>
  std::optional<Handle> findIf(Predicate predicate) const {
    ReaderLock lock(mutex_);
    for (const auto &[value, object] : objects_) {
      if (predicate(object)) return reinterpret_cast<Handle>(value);  // NOLINT(performance-no-int-to-ptr)
    }
    return std::nullopt;
  }

  // forEach() visits all objects. pre: `visit` leaves the table alone.
  template <typename Visit>
  void forEach(Visit visit) const {
    ReaderLock lock(mutex_);
    for (const auto &[value, object] : objects_) visit(object);
  }

  // removeIf() removes the handles of all objects that `predicate` is true for.
  template <typename Predicate>
  void removeIf(Predicate predicate) {
    WriterLock lock(mutex_);
    std::erase_if(objects_, [&](const auto &entry) { return predicate(entry.second); });
  }

  size_t size() const {
    ReaderLock lock(mutex_);
    return objects_.size();
  }

 private:
  // Far from small numbers (cudaStreamLegacy is 1) and never a valid address of this process on x86-64 or AArch64, so
  // that following a handle by mistake faults.
  static constexpr uintptr_t first = uintptr_t{0x48570000} << 32;
  static constexpr uintptr_t spacing = 16;

  mutable SharedMutex mutex_;
  std::unordered_map<uintptr_t, Object> objects_ HOSTWARP_GUARDED_BY(mutex_);
  uintptr_t next_ HOSTWARP_GUARDED_BY(mutex_) = first;
};

}  // namespace hostwarp::device

#endif  // HOSTWARP_EMU_RUNTIME_DEVICE_HANDLE_TABLE_H
