#include "emu_runtime/memory/pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace hostwarp::memory::pages {

namespace {

constexpr size_t hugePage = size_t{2} << 20;
constexpr int reservation = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

// readNumber() returns the number in a one-line file; `missing` when there is none ("max" counts as none).
uint64_t readNumber(const char *path, uint64_t missing) {
  std::ifstream file(path);
  uint64_t value = 0;
  return file >> value ? value : missing;
}

// meminfo() returns a row of /proc/meminfo in bytes.
uint64_t meminfo(const std::string &row) {
  std::ifstream file("/proc/meminfo");
  std::string name, unit;
  uint64_t kilobytes = 0;
  while (file >> name >> kilobytes) {
    std::getline(file, unit);
    if (name == row) return kilobytes * 1024;
  }
  return 0;
}

}  // namespace

size_t size() {
  static const auto bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

void *reserve(uintptr_t wanted, size_t bytes) {
  void *const hint = reinterpret_cast<void *>(wanted);  // NOLINT(performance-no-int-to-ptr)
  if (wanted) {
    void *exact = mmap(hint, bytes, PROT_NONE, reservation | MAP_FIXED_NOREPLACE, -1, 0);
    if (exact == hint) return exact;
    if (exact != MAP_FAILED) munmap(exact, bytes);  // a kernel that takes the flag for a hint
  }
  void *anywhere = mmap(nullptr, bytes, PROT_NONE, reservation, -1, 0);
  return anywhere == MAP_FAILED ? nullptr : anywhere;
}

bool mapFixed(void *address, size_t bytes) {
  void *mapped = mmap(address, bytes, PROT_READ | PROT_WRITE, reservation | MAP_FIXED_NOREPLACE, -1, 0);
  if (mapped == address) return true;
  if (mapped != MAP_FAILED) munmap(mapped, bytes);
  return false;
}

bool commit(void *address, size_t bytes) {
  if (mprotect(address, bytes, PROT_READ | PROT_WRITE) != 0) return false;
  if (bytes >= 2 * hugePage) madvise(address, bytes, MADV_HUGEPAGE);
  return true;
}

void decommit(void *address, size_t bytes) {
  if (mmap(address, bytes, PROT_NONE, reservation | MAP_FIXED, -1, 0) != MAP_FAILED) return;
  madvise(address, bytes, MADV_DONTNEED);
}

void unmap(void *address, size_t bytes) { munmap(address, bytes); }
// NOLINTBEGIN(performance-no-int-to-ptr)
void unreserve(uintptr_t address, size_t bytes) {
  if (bytes) munmap(reinterpret_cast<void *>(address), bytes);
}

bool mapFile(uintptr_t address, size_t bytes, int file) {
  return mmap(reinterpret_cast<void *>(address), bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, file, 0) != MAP_FAILED;
}

void unmapFile(uintptr_t address, size_t bytes) {
  mmap(reinterpret_cast<void *>(address), bytes, PROT_NONE, reservation | MAP_FIXED, -1, 0);
}

void protect(uintptr_t address, size_t bytes, bool readable, bool writable) {
  mprotect(reinterpret_cast<void *>(address), bytes, (readable ? PROT_READ : 0) | (writable ? PROT_WRITE : 0));
}
// NOLINTEND(performance-no-int-to-ptr)

bool readable(const void *address, size_t bytes) {
  auto next = reinterpret_cast<uintptr_t>(address);
  if (bytes > std::numeric_limits<uintptr_t>::max() - next) return false;
  const uintptr_t end = next + bytes;
  std::ifstream file("/proc/self/maps");
  uintptr_t from = 0, to = 0;
  char dash = 0;
  std::string permissions, rest;
  // Rows are in the order of addresses.
  while (next < end && file >> std::hex >> from >> dash >> to >> permissions) {
    std::getline(file, rest);
    if (to <= next) continue;
    if (from > next || permissions[0] != 'r') return false;
    next = to;
  }
  return next >= end;
}

uint64_t physicalBytes() {
  static const uint64_t bytes = [] {
    constexpr uint64_t none = std::numeric_limits<uint64_t>::max();
    const uint64_t machine =
        static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    const uint64_t container = std::min(readNumber("/sys/fs/cgroup/memory.max", none),
                                        readNumber("/sys/fs/cgroup/memory/memory.limit_in_bytes", none));
    return std::min(machine, container);
  }();
  return bytes;
}

uint64_t availableBytes() {
  const uint64_t machine = meminfo("MemAvailable:");
  const uint64_t used = readNumber("/sys/fs/cgroup/memory.current", 0);
  const uint64_t container = physicalBytes() > used ? physicalBytes() - used : 0;
  return machine ? std::min(machine, container) : container;
}

}  // namespace hostwarp::memory::pages
