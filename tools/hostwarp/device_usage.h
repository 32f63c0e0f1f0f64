// Which processes have memory of emulated devices, as /proc shows it.
#ifndef HOSTWARP_TOOLS_HOSTWARP_DEVICE_USAGE_H
#define HOSTWARP_TOOLS_HOSTWARP_DEVICE_USAGE_H

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

namespace hostwarp::tool {

// Usage is the memory that one process has allocated on one device.
struct Usage {
  int device;
  int pid;
  std::string program;
  uint64_t bytes;
};

// usageByDevice() sums up the memory that a process's /proc/<pid>/maps shows at devices' addresses. A device is listed
// as soon as the process has used its memory, even if nothing is left of it.
std::map<int, uint64_t> usageByDevice(std::istream &maps);

// deviceUsage() looks at all processes that this user may look at.
std::vector<Usage> deviceUsage();

}  // namespace hostwarp::tool

#endif  // HOSTWARP_TOOLS_HOSTWARP_DEVICE_USAGE_H
