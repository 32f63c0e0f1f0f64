// SharedPages: memory that other processes can map, named by the process that made it and a file descriptor there.
#ifndef HOSTWARP_EMU_RUNTIME_IPC_SHARED_PAGES_H
#define HOSTWARP_EMU_RUNTIME_IPC_SHARED_PAGES_H

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace hostwarp::ipc {

// Name is how another process finds the pages. It is part of the handles that programs pass around.
struct Name {
  int32_t process;
  int32_t descriptor;
  uint64_t serial;  // tells apart pages that had the same descriptor one after the other
  uint64_t bytes;

  auto operator<=>(const Name &) const = default;
};

// SharedPages owns an anonymous file in memory, which lives as long as anybody has it open or mapped. Thread-safe.
class SharedPages {
 public:
  // create() makes zeroed pages; open() finds those of another process. Null when the system refuses.
  static std::shared_ptr<SharedPages> create(size_t bytes);
  static std::shared_ptr<SharedPages> open(const Name &name);
  // behind() is what a descriptor of this process leads to, which the caller keeps; null when that is no such file.
  static std::shared_ptr<SharedPages> behind(int descriptor);
  ~SharedPages();
  SharedPages(const SharedPages &) = delete;
  SharedPages &operator=(const SharedPages &) = delete;

  const Name &name() const { return name_; }

  // map() makes the pages appear at `address`, or anywhere for null; returns where, null on failure. pre: what is
  // mapped there belongs to the caller.
  void *map(void *address) const;
  // mapPart() does so for a part, at `address`. pre: `offset` is a multiple of the size of a page.
  bool mapPart(void *address, uint64_t offset, size_t bytes) const;

 private:
  SharedPages(int descriptor, const Name &name) : descriptor_(descriptor), name_(name) {}

  const int descriptor_;
  const Name name_;
};

}  // namespace hostwarp::ipc

#endif  // HOSTWARP_EMU_RUNTIME_IPC_SHARED_PAGES_H
