// What is kept on disk from call to call, for all programs of one user.
#ifndef HOSTWARP_COMPILER_DRIVER_CACHE_FOLDER_H
#define HOSTWARP_COMPILER_DRIVER_CACHE_FOLDER_H

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace hostwarp::driver {

// cacheFolder() is `name` in $XDG_CACHE_HOME/hostwarp or ~/.cache/hostwarp, which may not exist yet; nothing with
// HOSTWARP_CACHE=0 or where the user has no such folder.
std::optional<std::filesystem::path> cacheFolder(std::string_view name);

// fileStamp() changes when the file does; empty when there is no such file.
std::string fileStamp(const std::string &path);

// writeCacheFile() makes or replaces the file, and its folder. Other processes see the old content or all of the new.
// False: it could not, which for a cache is no error.
bool writeCacheFile(const std::filesystem::path &path, std::string_view content);

// CacheKey is two FNV-1a hashes of everything added: 128 bits, so that different contents do not meet.
class CacheKey {
 public:
  void add(std::string_view text);
  // name() is the key as a file's name.
  std::string name() const;

 private:
  void mix(char c);

  std::uint64_t first_ = 14695981039346656037ull;
  std::uint64_t second_ = 88172645463325252ull;
};

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_CACHE_FOLDER_H
