// Builds of what images carry, and of PTX that programs load, kept on disk for the next start of the same program.
#ifndef HOSTWARP_COMPILER_DRIVER_KEPT_BUILD_H
#define HOSTWARP_COMPILER_DRIVER_KEPT_BUILD_H

#include <optional>
#include <string>

#include "compiler/driver/cache_folder.h"
#include "compiler/driver/invocation.h"
#include "compiler/driver/result.h"
#include "compiler/driver/toolchain.h"

namespace hostwarp::driver {

// KeptBuild is the entry of the user's cache for the image that the invocation makes of its inputs.
class KeptBuild {
 public:
  KeptBuild(const Invocation &invocation, const Toolchain &tools);

  // find() is the image; nothing when it is not there.
  std::optional<std::string> find() const;
  // keep() puts the file there. What cannot be written is no error.
  Status keep(const std::string &image) const;

 private:
  CacheKey key_;
};

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_KEPT_BUILD_H
