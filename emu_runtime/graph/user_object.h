// UserObject: something of the program that graphs keep alive.
#ifndef HOSTWARP_EMU_RUNTIME_GRAPH_USER_OBJECT_H
#define HOSTWARP_EMU_RUNTIME_GRAPH_USER_OBJECT_H

#include <driver_types.h>

#include <atomic>
#include <map>
#include <memory>

namespace hostwarp::graph {

// UserObject counts references; when the last is gone, the program's function runs on a thread of the runtime.
// Thread-safe.
class UserObject {
 public:
  UserObject(void *object, cudaHostFn_t destroy, unsigned references)
      : object_(object), destroy_(destroy), references_(references) {}

  void retain(unsigned count) { references_.fetch_add(count); }
  // release() is false when there are fewer references than that.
  bool release(unsigned count);

  // find() is null for what is no object any more.
  static std::shared_ptr<UserObject> find(cudaUserObject_t handle);
  static cudaUserObject_t add(void *object, cudaHostFn_t destroy, unsigned references);

 private:
  void *const object_;
  const cudaHostFn_t destroy_;
  std::atomic<unsigned> references_;
  cudaUserObject_t handle_ = nullptr;
};

using UserObjectRef = std::shared_ptr<UserObject>;

// UserObjects is the references that one graph holds. Copying takes as many references, destroying gives them back.
class UserObjects {
 public:
  UserObjects() = default;
  UserObjects(const UserObjects &other);
  UserObjects &operator=(UserObjects other) noexcept;
  ~UserObjects();

  // adopt() takes over references that are counted already.
  void adopt(const UserObjectRef &object, unsigned count) { held_[object] += count; }
  // add() takes as many references as another graph holds.
  void add(const UserObjects &other);
  // release() gives references back; false when there are fewer.
  bool release(const UserObjectRef &object, unsigned count);

 private:
  std::map<UserObjectRef, unsigned> held_;
};

}  // namespace hostwarp::graph

#endif  // HOSTWARP_EMU_RUNTIME_GRAPH_USER_OBJECT_H
