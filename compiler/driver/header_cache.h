// The headers that a pass reads before the user's source, parsed once for all calls with the same options.
#ifndef HOSTWARP_COMPILER_DRIVER_HEADER_CACHE_H
#define HOSTWARP_COMPILER_DRIVER_HEADER_CACHE_H

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "compiler/driver/cache_folder.h"

namespace hostwarp::driver {

// HeaderCache is about one pass. What it keeps on disk is made at the second call that has a use for it, so that a
// call that is never repeated costs no more than without; it counts while the headers are what they were.
class HeaderCache {
 public:
  // `pass` is clang's command without a source, `source` any file to compile with it.
  HeaderCache(std::vector<std::string> pass, std::string source);

  // arguments() are what to add to the pass; none when the pass has to read the headers itself. Blocks while clang
  // makes what is missing, and gives the same answer from then on.
  const std::vector<std::string> &arguments();

 private:
  CacheKey makeKey() const;
  bool isUpToDate() const;
  bool wasAskedFor() const;
  bool make() const;
  void dropOldest() const;
  std::filesystem::path file(const char *suffix) const;

  std::vector<std::string> pass_;
  std::string source_;
  std::optional<std::filesystem::path> folder_;
  CacheKey key_;
  std::optional<std::vector<std::string>> arguments_;
};

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_HEADER_CACHE_H
