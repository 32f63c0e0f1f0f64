// What is kept on disk from call to call, for all programs of one user. It is code that these programs run: files that
// somebody else could have written do not count.
#ifndef HOSTWARP_COMPILER_DRIVER_CACHE_FOLDER_H
#define HOSTWARP_COMPILER_DRIVER_CACHE_FOLDER_H

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace hostwarp::driver {

// cacheFolder() is `name` in $XDG_CACHE_HOME/hostwarp or ~/.cache/hostwarp, made for its owner alone if it was not
// there. Nothing with HOSTWARP_CACHE=0, where the user has no such folder, where others may write to it, or in a
// program that runs with more rights than its caller.
std::optional<std::filesystem::path> cacheFolder(std::string_view name);

// isOwn() tells that the file or folder belongs to the user and that nobody else may write to it.
bool isOwn(const std::filesystem::path &path);

// fileStamp() changes when the file does; empty when there is no such file.
std::string fileStamp(const std::string &path);

// readCacheFile() is what the file holds; nothing when there is none or it is not the user's own.
std::optional<std::string> readCacheFile(const std::filesystem::path &path);

// writeCacheFile() makes or replaces the file. Other processes see the old content or all of the new. False: it could
// not, which for a cache is no error.
bool writeCacheFile(const std::filesystem::path &path, std::string_view content);

// appendField() adds a field to the content of an entry, takeField() cuts the next one off; nothing when the content is
// damaged.
void appendField(std::string &text, std::string_view field);
std::optional<std::string> takeField(std::string_view &text);

// CacheKey is everything that decides about the content of an entry.
class CacheKey {
 public:
  void add(std::string_view part);
  // name() is the key's hash, as a file's name.
  std::string name() const;
  // text() is the whole key. An entry keeps it, and counts for an equal one only.
  const std::string &text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_CACHE_FOLDER_H
