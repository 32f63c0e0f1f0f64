// Virtual memory management: addresses, memory and the mapping of one to the other are separate things [CUDA 4.17].
//
// Memory is a memfd. That is also what other processes get: its name says which device it belongs to.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <map>
#include <memory>

#include "emu_runtime/device/device.h"
#include "emu_runtime/device/handle_table.h"
#include "emu_runtime/driver/driver.h"
#include "emu_runtime/memory/allocation_table.h"
#include "emu_runtime/memory/layout.h"
#include "emu_runtime/memory/pages.h"
#include "fibers/mutex.h"

namespace hostwarp::driver_api {

namespace {

namespace pages = memory::pages;
using memory::AllocationTable;

constexpr size_t granularity = size_t{2} << 20;
constexpr const char *fileName = "hostwarp-memory-of-device-";

// Physical is memory that cuMemCreate() made, or another process did. It lives as long as a handle or a mapping.
class Physical {
 public:
  Physical(int file, size_t bytes, const CUmemAllocationProp &prop, bool charged)
      : file_(file), bytes_(bytes), prop_(prop), charged_(charged) {}
  ~Physical() {
    close(file_);
    if (charged_) device().allocator().giveBudget(bytes_);
  }
  Physical(const Physical &) = delete;
  Physical &operator=(const Physical &) = delete;

  int file() const { return file_; }
  size_t bytes() const { return bytes_; }
  const CUmemAllocationProp &prop() const { return prop_; }
  device::Device &device() const { return *device::devices()[static_cast<size_t>(prop_.location.id)]; }

  std::atomic<int> references{1};  // handles given out: cuMemRetainAllocationHandle() gives the same one again

 private:
  const int file_;
  const size_t bytes_;
  const CUmemAllocationProp prop_;
  const bool charged_;
};
using PhysicalRef = std::shared_ptr<Physical>;

struct PhysicalHandle;
using PhysicalTable = device::HandleTable<PhysicalHandle *, PhysicalRef>;

PhysicalTable &physicalTable() {
  static auto *table = new PhysicalTable;
  return *table;
}

PhysicalHandle *handleOf(CUmemGenericAllocationHandle number) { return reinterpret_cast<PhysicalHandle *>(number); }

Expected<PhysicalRef> physicalOf(CUmemGenericAllocationHandle number) {
  auto found = physicalTable().find(handleOf(number));
  if (!found) return cudaErrorInvalidValue;
  return *std::move(found);
}

// Mapping is memory at an address. Nothing may touch it before cuMemSetAccess().
struct Mapping {
  size_t bytes;
  PhysicalRef memory;
  std::map<int, CUmemAccess_flags> access;  // by device
};

// AddressSpace is what programs have reserved and mapped. Thread-safe.
class AddressSpace {
 public:
  Status reserve(CUdeviceptr *start, size_t bytes, size_t alignment, uintptr_t wanted) {
    MutexLock lock(mutex_);
    const size_t unit = std::max(alignment, granularity);
    if (!wanted) wanted = pages::roundUp(next_, unit);
    void *place = pages::reserve(wanted, bytes + unit);
    if (!place) return cudaErrorMemoryAllocation;
    const auto begin = reinterpret_cast<uintptr_t>(place);
    const uintptr_t aligned = pages::roundUp(begin, unit);
    pages::unreserve(begin, aligned - begin);
    pages::unreserve(aligned + bytes, begin + unit - aligned);
    if (aligned >= next_ && aligned < memory::layout::managed) next_ = aligned + bytes + unit;
    reservations_[aligned] = bytes;
    *start = aligned;
    return {};
  }

  Status free(CUdeviceptr start, size_t bytes) {
    MutexLock lock(mutex_);
    auto found = reservations_.find(start);
    if (found == reservations_.end() || found->second != bytes || overlapping(start, bytes)) {
      return cudaErrorInvalidValue;
    }
    pages::unreserve(start, bytes);
    reservations_.erase(found);
    return {};
  }

  Status map(CUdeviceptr start, size_t bytes, const PhysicalRef &memory) {
    MutexLock lock(mutex_);
    if (!reserved(start, bytes)) return {cudaErrorInvalidValue, "the addresses are not reserved"};
    if (overlapping(start, bytes)) return {cudaErrorInvalidValue, "something is mapped there already"};
    if (!pages::mapFile(start, bytes, memory->file())) return cudaErrorMemoryAllocation;
    mappings_[start] = {bytes, memory, {}};
    return {};
  }

  // unmap() takes whole mappings only; gaps between them do not matter.
  Status unmap(CUdeviceptr start, size_t bytes) {
    MutexLock lock(mutex_);
    const auto before = holding(start), last = holding(start + bytes - 1);
    const bool cutsFirst = before != mappings_.end() && before->first != start;
    const bool cutsLast = last != mappings_.end() && last->first + last->second.bytes != start + bytes;
    if (bytes == 0 || cutsFirst || cutsLast || !reserved(start, bytes)) return cudaErrorInvalidValue;
    for (auto each = mappings_.lower_bound(start); each != mappings_.end() && each->first < start + bytes;
         each = mappings_.erase(each)) {
      forget(each->first);
      pages::unmapFile(each->first, each->second.bytes);
    }
    return {};
  }

  Status setAccess(CUdeviceptr start, size_t bytes, const CUmemAccessDesc *list, size_t count) {
    MutexLock lock(mutex_);
    if (!covered(start, bytes)) return cudaErrorInvalidValue;
    for (auto each = mappings_.find(start); each != mappings_.end() && each->first < start + bytes; ++each) {
      for (size_t i = 0; i < count; ++i) each->second.access[list[i].location.id] = list[i].flags;
      protect(each->first, each->second);
    }
    return {};
  }

  Status access(unsigned long long *flags, int device, CUdeviceptr pointer) {
    MutexLock lock(mutex_);
    auto found = holding(pointer);
    if (found == mappings_.end()) return cudaErrorInvalidValue;
    auto entry = found->second.access.find(device);
    *flags = entry == found->second.access.end() ? CU_MEM_ACCESS_FLAGS_PROT_NONE : entry->second;
    return {};
  }

  PhysicalRef memoryAt(CUdeviceptr pointer) {
    MutexLock lock(mutex_);
    auto found = holding(pointer);
    return found == mappings_.end() ? nullptr : found->second.memory;
  }

  static AddressSpace &process() {
    static auto *space = new AddressSpace;
    return *space;
  }

 private:
  using Mappings = std::map<CUdeviceptr, Mapping>;

  Mappings::iterator holding(CUdeviceptr pointer) HOSTWARP_REQUIRES(mutex_) {
    auto after = mappings_.upper_bound(pointer);
    if (after == mappings_.begin()) return mappings_.end();
    auto before = std::prev(after);
    return pointer - before->first < before->second.bytes ? before : mappings_.end();
  }

  bool overlapping(CUdeviceptr start, size_t bytes) HOSTWARP_REQUIRES(mutex_) {
    if (holding(start) != mappings_.end()) return true;
    auto after = mappings_.lower_bound(start);
    return after != mappings_.end() && after->first < start + bytes;
  }

  // reserved() tells that the range lies in one reservation.
  bool reserved(CUdeviceptr start, size_t bytes) const HOSTWARP_REQUIRES(mutex_) {
    auto after = reservations_.upper_bound(start);
    if (after == reservations_.begin()) return false;
    const auto &[begin, room] = *std::prev(after);
    return start - begin <= room && bytes <= room - (start - begin);
  }

  // covered() tells that the range is made of whole mappings.
  bool covered(CUdeviceptr start, size_t bytes) HOSTWARP_REQUIRES(mutex_) {
    const CUdeviceptr end = start + bytes;
    for (auto each = mappings_.find(start); each != mappings_.end() && each->first == start;) {
      start += each->second.bytes;
      if (start >= end) return start == end;
      ++each;
    }
    return false;
  }

  static void forget(CUdeviceptr start) {
    (void)AllocationTable::process().take(
        at(start), [](const memory::Allocation &allocation) { return allocation.kind == memory::Kind::Mapped; });
  }

  // protect() lets the processor do what any device may: the one processor stands for all of them.
  static void protect(CUdeviceptr start, const Mapping &mapping) {
    int flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    for (const auto &[device, each] : mapping.access) flags |= each;
    pages::protect(start, mapping.bytes, flags & 1, flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    forget(start);
    if (flags == CU_MEM_ACCESS_FLAGS_PROT_NONE) return;
    AllocationTable::process().add(
        {start, mapping.bytes, memory::Kind::Mapped, mapping.memory->prop().location.id, 0, memory::Block{}});
  }

  Mutex mutex_;
  uintptr_t next_ HOSTWARP_GUARDED_BY(mutex_) = memory::layout::reserved;
  std::map<CUdeviceptr, size_t> reservations_ HOSTWARP_GUARDED_BY(mutex_);
  Mappings mappings_ HOSTWARP_GUARDED_BY(mutex_);
};

bool whole(size_t bytes) { return bytes && bytes % granularity == 0; }

Status checkProp(const CUmemAllocationProp *prop) {
  if (!prop || prop->type != CU_MEM_ALLOCATION_TYPE_PINNED) return cudaErrorInvalidValue;
  if (prop->location.type != CU_MEM_LOCATION_TYPE_DEVICE) {
    return {cudaErrorNotSupported, "only memory of devices can be created with cuMemCreate()"};
  }
  if (auto device = device::find(prop->location.id); !device.ok()) return device.status();
  constexpr unsigned known = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  return prop->requestedHandleTypes & ~known ? Status(cudaErrorNotSupported) : Status();
}

// deviceIn() reads the device from the name of a file that another process sent; -1 when the file is no memory of ours.
int deviceIn(int file) {
  char link[64], name[128];
  std::snprintf(link, sizeof(link), "/proc/self/fd/%d", file);
  const ssize_t length = readlink(link, name, sizeof(name) - 1);
  if (length <= 0) return -1;
  name[length] = '\0';
  int device = -1;
  const std::string pattern = std::string("/memfd:") + fileName + "%d";
  return std::sscanf(name, pattern.c_str(), &device) == 1 ? device : -1;
}

CUmemGenericAllocationHandle numberOf(PhysicalHandle *handle) {
  return static_cast<CUmemGenericAllocationHandle>(reinterpret_cast<uintptr_t>(handle));
}

}  // namespace

Status cuMemAddressReserve(CUdeviceptr *ptr, size_t size, size_t alignment, CUdeviceptr addr,
                           unsigned long long flags) {
  const bool power = (alignment & (alignment - 1)) == 0;
  if (!ptr || !whole(size) || !power || flags) return cudaErrorInvalidValue;
  return AddressSpace::process().reserve(ptr, size, alignment, addr);
}

Status cuMemAddressFree(CUdeviceptr ptr, size_t size) { return AddressSpace::process().free(ptr, size); }

Status cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size, const CUmemAllocationProp *prop,
                   unsigned long long flags) {
  if (!handle || !whole(size) || flags) return cudaErrorInvalidValue;
  HOSTWARP_TRY(checkProp(prop));
  device::Device &device = *device::devices()[static_cast<size_t>(prop->location.id)];
  if (!device.allocator().takeBudget(size)) return cudaErrorMemoryAllocation;
  const int file = memfd_create((fileName + std::to_string(prop->location.id)).c_str(), MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, static_cast<off_t>(size)) != 0) {
    if (file >= 0) close(file);
    device.allocator().giveBudget(size);
    return cudaErrorMemoryAllocation;
  }
  *handle = numberOf(physicalTable().add(std::make_shared<Physical>(file, size, *prop, true)));
  return {};
}

Status cuMemRelease(CUmemGenericAllocationHandle handle) {
  auto memory = physicalOf(handle);
  if (!memory.ok()) return memory.status();
  if (--(*memory)->references == 0) (void)physicalTable().take(handleOf(handle));
  return {};
}

Status cuMemMap(CUdeviceptr ptr, size_t size, size_t offset, CUmemGenericAllocationHandle handle,
                unsigned long long flags) {
  if (!whole(size) || ptr % granularity || flags) return cudaErrorInvalidValue;
  if (offset) return {cudaErrorNotSupported, "memory is mapped from its beginning"};
  auto memory = physicalOf(handle);
  if (!memory.ok()) return memory.status();
  if (size != (*memory)->bytes()) return {cudaErrorNotSupported, "memory is mapped as a whole"};
  return AddressSpace::process().map(ptr, size, *memory);
}

Status cuMemUnmap(CUdeviceptr ptr, size_t size) {
  for (const auto &device : device::devices()) {
    if (device->active()) device->context()->streams().waitAll();
  }
  return AddressSpace::process().unmap(ptr, size);
}

Status cuMemSetAccess(CUdeviceptr ptr, size_t size, const CUmemAccessDesc *desc, size_t count) {
  if (!desc || !count || !whole(size)) return cudaErrorInvalidValue;
  for (size_t i = 0; i < count; ++i) {
    if (desc[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE) return cudaErrorInvalidValue;
    if (auto device = device::find(desc[i].location.id); !device.ok()) return device.status();
  }
  return AddressSpace::process().setAccess(ptr, size, desc, count);
}

Status cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr ptr) {
  if (!flags || !location || location->type != CU_MEM_LOCATION_TYPE_DEVICE) return cudaErrorInvalidValue;
  return AddressSpace::process().access(flags, location->id, ptr);
}

Status cuMemExportToShareableHandle(void *shareableHandle, CUmemGenericAllocationHandle handle,
                                    CUmemAllocationHandleType handleType, unsigned long long flags) {
  if (!shareableHandle || flags) return cudaErrorInvalidValue;
  auto memory = physicalOf(handle);
  if (!memory.ok()) return memory.status();
  const bool allowed = handleType == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR &&
                       (*memory)->prop().requestedHandleTypes & CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  if (!allowed) return cudaErrorInvalidValue;
  const int file = fcntl((*memory)->file(), F_DUPFD_CLOEXEC, 0);
  if (file < 0) return cudaErrorOperatingSystem;
  *static_cast<int *>(shareableHandle) = file;
  return {};
}

Status cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *osHandle,
                                      CUmemAllocationHandleType shHandleType) {
  if (!handle || shHandleType != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) return cudaErrorInvalidValue;
  const int given = static_cast<int>(reinterpret_cast<intptr_t>(osHandle));
  const int ordinal = deviceIn(given);
  struct stat info{};
  if (ordinal < 0 || !device::find(ordinal).ok() || fstat(given, &info) != 0) return cudaErrorInvalidValue;
  const int file = fcntl(given, F_DUPFD_CLOEXEC, 0);
  if (file < 0) return cudaErrorOperatingSystem;
  CUmemAllocationProp prop{};
  prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  prop.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  prop.location = {CU_MEM_LOCATION_TYPE_DEVICE, ordinal};
  *handle =
      numberOf(physicalTable().add(std::make_shared<Physical>(file, static_cast<size_t>(info.st_size), prop, false)));
  return {};
}

Status cuMemGetAllocationGranularity(size_t *bytes, const CUmemAllocationProp *prop,
                                     CUmemAllocationGranularity_flags option) {
  if (!bytes || option < CU_MEM_ALLOC_GRANULARITY_MINIMUM || option > CU_MEM_ALLOC_GRANULARITY_RECOMMENDED) {
    return cudaErrorInvalidValue;
  }
  if (!prop) return cudaErrorInvalidValue;
  if (prop->type != CU_MEM_ALLOCATION_TYPE_INVALID) HOSTWARP_TRY(checkProp(prop));
  *bytes = granularity;
  return {};
}

Status cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop, CUmemGenericAllocationHandle handle) {
  if (!prop) return cudaErrorInvalidValue;
  auto memory = physicalOf(handle);
  if (!memory.ok()) return memory.status();
  *prop = (*memory)->prop();
  return {};
}

Status cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *addr) {
  if (!handle) return cudaErrorInvalidValue;
  PhysicalRef memory = AddressSpace::process().memoryAt(reinterpret_cast<CUdeviceptr>(addr));
  if (!memory) return cudaErrorInvalidValue;
  // Its last handle may have been released while it stayed mapped.
  if (auto known = physicalTable().handleOf(memory)) {
    ++memory->references;
    *handle = numberOf(*known);
  } else {
    memory->references = 1;
    *handle = numberOf(physicalTable().add(memory));
  }
  return {};
}

}  // namespace hostwarp::driver_api
