#include "emu_runtime/ipc/shared_pages.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

namespace hostwarp::ipc {

std::shared_ptr<SharedPages> SharedPages::create(size_t bytes) {
  const int descriptor = memfd_create("hostwarp", MFD_CLOEXEC);
  if (descriptor < 0) return nullptr;
  struct stat status{};
  if (ftruncate(descriptor, static_cast<off_t>(bytes)) != 0 || fstat(descriptor, &status) != 0) {
    close(descriptor);
    return nullptr;
  }
  // The file's number is unique among the files in memory of this machine.
  const Name name{getpid(), descriptor, status.st_ino, bytes};
  return std::shared_ptr<SharedPages>(new SharedPages(descriptor, name));
}

std::shared_ptr<SharedPages> SharedPages::open(const Name &name) {
  const std::string path = "/proc/" + std::to_string(name.process) + "/fd/" + std::to_string(name.descriptor);
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return nullptr;
  struct stat status{};
  const bool same = fstat(descriptor, &status) == 0 && status.st_ino == name.serial &&
                    status.st_size == static_cast<off_t>(name.bytes);
  if (!same) {
    close(descriptor);
    return nullptr;
  }
  return std::shared_ptr<SharedPages>(new SharedPages(descriptor, name));
}

std::shared_ptr<SharedPages> SharedPages::behind(int descriptor) {
  struct stat status{};
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return nullptr;
  const int own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (own < 0) return nullptr;
  const Name name{getpid(), own, status.st_ino, static_cast<uint64_t>(status.st_size)};
  return std::shared_ptr<SharedPages>(new SharedPages(own, name));
}

SharedPages::~SharedPages() { close(descriptor_); }

void *SharedPages::map(void *address) const {
  const int flags = MAP_SHARED | (address ? MAP_FIXED : 0);
  void *mapped = mmap(address, name_.bytes, PROT_READ | PROT_WRITE, flags, descriptor_, 0);
  return mapped == MAP_FAILED ? nullptr : mapped;
}

bool SharedPages::mapPart(void *address, uint64_t offset, size_t bytes) const {
  constexpr int both = PROT_READ | PROT_WRITE;
  return mmap(address, bytes, both, MAP_SHARED | MAP_FIXED, descriptor_, static_cast<off_t>(offset)) != MAP_FAILED;
}

}  // namespace hostwarp::ipc
