#include "emu_runtime/graph/user_object.h"

#include "emu_runtime/device/current.h"
#include "emu_runtime/device/handle_table.h"
#include "emu_runtime/stream/task_threads.h"

namespace hostwarp::graph {

namespace {

using Table = device::HandleTable<cudaUserObject_t, UserObjectRef>;
Table &table() {
  static auto *objects = new Table;
  return *objects;
}

}  // namespace

UserObjectRef UserObject::find(cudaUserObject_t handle) { return table().find(handle).value_or(nullptr); }

cudaUserObject_t UserObject::add(void *object, cudaHostFn_t destroy, unsigned references) {
  auto made = std::make_shared<UserObject>(object, destroy, references);
  return made->handle_ = table().add(made);
}

bool UserObject::release(unsigned count) {
  unsigned had = references_.load();
  do {
    if (had < count) return false;
  } while (!references_.compare_exchange_weak(had, had - count));
  if (had != count) return true;
  table().take(handle_);
  stream::TaskThreads::process().run([destroy = destroy_, object = object_] {
    device::HostFunctionScope scope;
    destroy(object);
  });
  return true;
}

UserObjects::UserObjects(const UserObjects &other) : held_(other.held_) {
  for (const auto &[object, count] : held_) object->retain(count);
}

UserObjects &UserObjects::operator=(UserObjects other) noexcept {
  held_.swap(other.held_);
  return *this;
}

UserObjects::~UserObjects() {
  for (const auto &[object, count] : held_) (void)object->release(count);
}

void UserObjects::add(const UserObjects &other) {
  for (const auto &[object, count] : other.held_) {
    adopt(object, count);
    object->retain(count);
  }
}

bool UserObjects::release(const UserObjectRef &object, unsigned count) {
  auto found = held_.find(object);
  if (found == held_.end() || found->second < count) return false;
  found->second -= count;
  if (found->second == 0) held_.erase(found);
  return object->release(count);
}

}  // namespace hostwarp::graph
