#include "tools/hostwarp/device_usage.h"

#include <algorithm>
#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace hostwarp::tool {
namespace {

// Where the runtime puts the memory of devices (emu_runtime/memory/allocator.cpp).
constexpr uint64_t tebibyte = uint64_t{1} << 40;
constexpr uint64_t devicesBase = 32 * tebibyte;
constexpr uint64_t devicesEnd = 56 * tebibyte;

namespace fs = std::filesystem;

}  // namespace

std::map<int, uint64_t> usageByDevice(std::istream &maps) {
  std::map<int, uint64_t> devices;
  for (std::string line; std::getline(maps, line);) {
    uint64_t begin = 0, end = 0;
    char rights[5] = "";
    if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %4s", &begin, &end, rights) != 3) continue;
    if (begin < devicesBase || end > devicesEnd) continue;
    uint64_t &bytes = devices[static_cast<int>((begin - devicesBase) / tebibyte)];
    if (rights[0] == 'r') bytes += end - begin;
  }
  return devices;
}

std::vector<Usage> deviceUsage() {
  std::vector<Usage> all;
  std::error_code error;
  for (const fs::directory_entry &entry : fs::directory_iterator("/proc", error)) {
    const std::string number = entry.path().filename().string();
    int pid = 0;
    if (std::from_chars(number.data(), number.data() + number.size(), pid).ptr != number.data() + number.size())
      continue;
    std::ifstream maps(entry.path() / "maps");
    const std::map<int, uint64_t> devices = usageByDevice(maps);
    if (devices.empty()) continue;
    const std::string program = fs::read_symlink(entry.path() / "exe", error).string();
    for (const auto &[device, bytes] : devices) all.push_back({device, pid, program, bytes});
  }
  std::sort(all.begin(), all.end(),
            [](const Usage &a, const Usage &b) { return a.device != b.device ? a.device < b.device : a.pid < b.pid; });
  return all;
}

}  // namespace hostwarp::tool
