#include "tests/stress/fuzz/call.h"

#include <unistd.h>

namespace hostwarp::stress {

namespace {

// "enum cudaFoo *name" is a type, then a name.
Parameter split(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  const size_t name = text.find_last_of(" *") + 1;
  return {text.substr(0, name), text.substr(name)};
}

}  // namespace

Signature::Signature(std::string_view parameters) {
  parameters = parameters.substr(1, parameters.size() - 2);
  while (!parameters.empty()) {
    const size_t end = std::min(parameters.find(','), parameters.size());
    parameters_.push_back(split(parameters.substr(0, end)));
    parameters.remove_prefix(std::min(end + 1, parameters.size()));
  }
}

bool Signature::hasCounts() const {
  for (const Parameter &parameter : parameters_) {
    for (const char *start : {"num", "pNum", "nb", "count", "len", "cudaDeviceCount"})
      if (parameter.name.starts_with(start)) return true;
  }
  return false;
}

void exported(Pools &pools, const void *handle) {
  int file = -1;
  if (handle) std::memcpy(&file, handle, sizeof(file));
  if (file < 3) return;
  pools.descriptors().push_back(file);
  if (pools.descriptors().size() <= 4) return;
  close(pools.descriptors().front());
  pools.descriptors().erase(pools.descriptors().begin());
}

}  // namespace hostwarp::stress
