#include "compiler/driver/cache_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace hostwarp::driver {

namespace fs = std::filesystem;

std::optional<fs::path> cacheFolder(std::string_view name) {
  const char *wanted = std::getenv("HOSTWARP_CACHE");
  if (wanted && std::string_view(wanted) == "0") return std::nullopt;
  const char *cache = std::getenv("XDG_CACHE_HOME");
  if (cache && *cache == '/') return fs::path(cache) / "hostwarp" / name;
  const char *home = std::getenv("HOME");
  if (home && *home == '/') return fs::path(home) / ".cache" / "hostwarp" / name;
  return std::nullopt;
}

std::string fileStamp(const std::string &path) {
  struct stat info{};
  if (stat(path.c_str(), &info) != 0) return "";
  return std::to_string(info.st_size) + " " + std::to_string(info.st_mtim.tv_sec) + "." +
         std::to_string(info.st_mtim.tv_nsec);
}

bool writeCacheFile(const fs::path &path, std::string_view content) {
  std::error_code failed;
  fs::create_directories(path.parent_path(), failed);
  const fs::path unfinished = path.string() + "." + std::to_string(getpid());
  std::ofstream file(unfinished, std::ios::binary);
  file << content;
  file.close();
  if (file) fs::rename(unfinished, path, failed);
  if (file && !failed) return true;
  fs::remove(unfinished, failed);
  return false;
}

void CacheKey::add(std::string_view text) {
  for (const char c : std::to_string(text.size()) + ":") mix(c);
  for (const char c : text) mix(c);
}

std::string CacheKey::name() const {
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(first_),
                static_cast<unsigned long long>(second_));
  return text;
}

void CacheKey::mix(char c) {
  first_ = (first_ ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  second_ = (second_ ^ static_cast<unsigned char>(c)) * 6364136223846793005ull + 1442695040888963407ull;
}

}  // namespace hostwarp::driver
