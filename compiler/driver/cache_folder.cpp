#include "compiler/driver/cache_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "compiler/hash/sha256.h"

namespace hostwarp::driver {

namespace fs = std::filesystem;

namespace {

bool isOwn(const struct stat &info) { return info.st_uid == geteuid() && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0; }

std::optional<fs::path> placeOfCaches() {
  const char *cache = secure_getenv("XDG_CACHE_HOME");
  if (cache && *cache == '/') return fs::path(cache);
  const char *home = secure_getenv("HOME");
  if (home && *home == '/') return fs::path(home) / ".cache";
  return std::nullopt;
}

// makeFolders() makes those that are missing for their owner alone.
void makeFolders(const fs::path &path) {
  if (mkdir(path.c_str(), 0700) == 0 || errno != ENOENT || !path.has_relative_path()) return;
  makeFolders(path.parent_path());
  mkdir(path.c_str(), 0700);
}

}  // namespace

std::optional<fs::path> cacheFolder(std::string_view name) {
  const char *wanted = secure_getenv("HOSTWARP_CACHE");
  if (wanted && std::string_view(wanted) == "0") return std::nullopt;
  const auto place = placeOfCaches();
  if (!place) return std::nullopt;
  const fs::path ours = *place / "hostwarp", folder = ours / name;
  makeFolders(folder);
  if (!isOwn(ours) || !isOwn(folder)) return std::nullopt;
  return folder;
}

bool isOwn(const fs::path &path) {
  struct stat info{};
  return stat(path.c_str(), &info) == 0 && isOwn(info);
}

std::string fileStamp(const std::string &path) {
  struct stat info{};
  if (stat(path.c_str(), &info) != 0) return "";
  return std::to_string(info.st_size) + " " + std::to_string(info.st_mtim.tv_sec) + "." +
         std::to_string(info.st_mtim.tv_nsec);
}

std::optional<std::string> readCacheFile(const fs::path &path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) return std::nullopt;
  struct stat info{};
  bool good = fstat(file, &info) == 0 && S_ISREG(info.st_mode) && isOwn(info);
  std::string content;
  char buffer[1 << 16];
  ssize_t count = 0;
  while (good && (count = read(file, buffer, sizeof buffer)) > 0) content.append(buffer, static_cast<size_t>(count));
  close(file);
  if (!good || count < 0) return std::nullopt;
  return content;
}

bool writeCacheFile(const fs::path &path, std::string_view content) {
  std::string unfinished = path.string() + ".XXXXXX";
  const int file = mkostemp(unfinished.data(), O_CLOEXEC);
  if (file < 0) return false;
  std::size_t done = 0;
  for (ssize_t count = 1; count > 0 && done < content.size(); done += count > 0 ? static_cast<std::size_t>(count) : 0)
    count = write(file, content.data() + done, content.size() - done);
  const bool whole = close(file) == 0 && done == content.size();
  if (whole && rename(unfinished.c_str(), path.c_str()) == 0) return true;
  unlink(unfinished.c_str());
  return false;
}

void appendField(std::string &text, std::string_view field) {
  text += std::to_string(field.size()) + "\n";
  text += field;
}

std::optional<std::string> takeField(std::string_view &text) {
  const std::size_t line = text.find('\n');
  if (line == std::string_view::npos || line > 18) return std::nullopt;
  const std::size_t bytes = std::strtoull(std::string(text.substr(0, line)).c_str(), nullptr, 10);
  if (bytes > text.size() - line - 1) return std::nullopt;
  std::string field(text.substr(line + 1, bytes));
  text.remove_prefix(line + 1 + bytes);
  return field;
}

void CacheKey::add(std::string_view part) {
  text_ += std::to_string(part.size()) + ":";
  text_ += part;
}

std::string CacheKey::name() const { return hash::sha256(text_); }

}  // namespace hostwarp::driver
