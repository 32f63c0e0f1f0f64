#include "emu_runtime/digests/host_ranges.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>

#include "emu_runtime/memory/layout.h"

namespace hostwarp::digests {
namespace {

bool isOfDevices(uintptr_t begin) { return begin >= memory::layout::devices && begin < memory::layout::end; }

}  // namespace

HostRanges::HostRanges() {
  std::FILE *const maps = std::fopen("/proc/self/maps", "re");
  if (!maps) return;
  char line[4608];  // a path and what stands before it
  while (std::fgets(line, sizeof line, maps)) {
    uintptr_t begin = 0, end = 0;
    char rights = '-';
    if (std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %c", &begin, &end, &rights) != 3) continue;
    if (rights == 'r' && !isOfDevices(begin) && !std::strstr(line, " /dev/")) ranges_.push_back({begin, end});
  }
  std::fclose(maps);
}

bool HostRanges::contain(uintptr_t address) const {
  const auto behind = std::ranges::upper_bound(ranges_, address, {}, &Range::begin);
  return behind != ranges_.begin() && address < std::prev(behind)->end;
}

}  // namespace hostwarp::digests
