#include "emu_runtime/check/value_origins.h"

namespace hostwarp::check {

ValueOrigins &ValueOrigins::process() {
  static auto *const origins = new ValueOrigins;  // static destructors still free memory
  return *origins;
}

uint32_t ValueOrigins::add(const Place &place) {
  places_.push_back(place);
  return static_cast<uint32_t>(places_.size() - 1);
}

uint32_t ValueOrigins::ofVariable(const char *name) {
  const MutexLock lock(mutex_);
  uint32_t &known = variables_[name];
  if (known == unknown) known = add({.variable = name});
  return known;
}

uint32_t ValueOrigins::ofMemory(uintptr_t start) {
  const MutexLock lock(mutex_);
  return add({.memory = start});
}

ValueOrigins::Place ValueOrigins::find(uint32_t origin) const {
  const MutexLock lock(mutex_);
  return origin < places_.size() ? places_[origin] : Place();
}

}  // namespace hostwarp::check
