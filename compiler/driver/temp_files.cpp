#include "compiler/driver/temp_files.h"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace hostwarp::driver {

TempFiles::~TempFiles() { remove(); }

Status TempFiles::open() {
  const char *parent = secure_getenv("TMPDIR");
  std::string pattern = std::string(parent != nullptr && *parent != '\0' ? parent : "/tmp") + "/hwcc-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr)
    return Failure{"Could not make a folder for intermediate files, '" + pattern + "': " + std::strerror(errno)};
  directory_ = pattern + "/";
  owned_ = true;
  return {};
}

void TempFiles::keep(const std::string &directory) {
  directory_ = directory.empty() ? "" : directory + "/";
  owned_ = false;
}

std::string TempFiles::path(const std::string &stem, const std::string &suffix) {
  std::string candidate = directory_ + stem + suffix;
  for (int i = 2; !handedOut_.insert(candidate).second; ++i)
    candidate = directory_ + stem + "." + std::to_string(i) + suffix;
  return candidate;
}

void TempFiles::remove() {
  if (!owned_) return;
  std::error_code ignored;
  std::filesystem::remove_all(directory_, ignored);
  owned_ = false;
}

}  // namespace hostwarp::driver
