#include "compiler/driver/cccl.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

namespace hostwarp::driver {
namespace {

namespace fs = std::filesystem;

bool isCccl(const fs::path &folder) {
  std::error_code ignored;
  return std::ranges::any_of(
      std::initializer_list<const char *>{"cuda/std/version", "cub/version.cuh", "thrust/version.h"},
      [&](const char *header) { return fs::exists(folder / header, ignored); });
}

// A toolkit's include folder also holds NVIDIA's own versions of our headers; only the folder below it is of use.
std::string ccclOfToolkit(const fs::path &toolkit) {
  std::error_code ignored;
  if (isCccl(toolkit / "include/cccl")) return toolkit / "include/cccl";
  for (const auto &target : fs::directory_iterator(toolkit / "targets", ignored))
    if (isCccl(target.path() / "include/cccl")) return target.path() / "include/cccl";
  return "";
}

// The numbers in "cuda-13.0", for comparison; "cuda" itself is the one that its administrator has chosen.
std::vector<int> versionIn(const std::string &name) {
  std::vector<int> numbers;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] < '0' || name[i] > '9') continue;
    if (i == 0 || name[i - 1] < '0' || name[i - 1] > '9') numbers.push_back(0);
    numbers.back() = numbers.back() * 10 + (name[i] - '0');
  }
  return numbers;
}

std::vector<fs::path> toolkits(const std::string &installations) {
  std::vector<fs::path> result;
  std::error_code ignored;
  for (const auto &entry : fs::directory_iterator(installations, ignored))
    if (entry.path().filename().string().starts_with("cuda-")) result.push_back(entry.path());
  std::ranges::sort(result, std::greater(), [](const fs::path &path) { return versionIn(path.filename()); });
  result.insert(result.begin(), fs::path(installations) / "cuda");
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *path = std::getenv(variable)) result.insert(result.begin(), path);
  return result;
}

}  // namespace

Expected<std::string> findCccl(const std::string &installations) {
  const char *named = std::getenv("HOSTWARP_CCCL");
  if (named != nullptr && std::string(named) == "none") return std::string();
  if (named != nullptr && *named != '\0') {
    if (isCccl(named)) return std::string(named);
    return Failure{"HOSTWARP_CCCL names '" + std::string(named) + "', which holds none of cuda/std, cub and thrust"};
  }
  for (const fs::path &toolkit : toolkits(installations))
    if (const std::string found = ccclOfToolkit(toolkit); !found.empty()) return found;
  return std::string();
}

}  // namespace hostwarp::driver
