#include "fibers/stack_pool.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>

namespace hostwarp::fibers {
namespace {

// Linux 6.13 has guard regions that do not split a mapping. The number is part of the kernel's interface; older headers
// lack the name.
constexpr int kAdviseGuardInstall = 102;
constexpr size_t kSlabBytes = 4 * 1024 * 1024;
constexpr size_t kMostStacksPerSlab = 64;

// splitGuardBudget() is how many guards may be made by splitting mappings: each costs two of vm.max_map_count, and the
// rest of the process wants some too.
long splitGuardBudget() {
  long limit = 65530;
  if (FILE *file = std::fopen("/proc/sys/vm/max_map_count", "r")) {
    if (std::fscanf(file, "%ld", &limit) != 1) limit = 65530;
    std::fclose(file);
  }
  return std::max(limit / 2 - 4096, 64L);
}

std::atomic<bool> guardRegionsWork{true};
std::atomic<long> splitGuards{0};

bool installGuard(char *address) {
  if (guardRegionsWork.load(std::memory_order_relaxed)) {
    if (madvise(address, StackPool::kGuardBytes, kAdviseGuardInstall) == 0) return true;
    if (errno != EINVAL) return false;
    guardRegionsWork.store(false, std::memory_order_relaxed);
  }
  static const long budget = splitGuardBudget();
  if (splitGuards.fetch_add(1, std::memory_order_relaxed) >= budget) return false;
  return mprotect(address, StackPool::kGuardBytes, PROT_NONE) == 0;
}

}  // namespace

StackPool::~StackPool() {
  for (const Slab &slab : slabs_) munmap(slab.base, slab.bytes);
}

size_t StackPool::usableBytes(size_t bytes) {
  if (bytes == 0) return kDefaultBytes;
  // Powers of two keep the number of size classes small; what is never touched costs address space only.
  return std::bit_ceil(std::clamp(bytes, kMinimumBytes, size_t{1} << 40));
}

bool StackPool::take(size_t bytes, Stack &stack) {
  MutexLock lock(mutex_);
  SizeClass &sizeClass = classOf(usableBytes(bytes));
  if (!sizeClass.free.empty()) {
    stack = sizeClass.free.back();
    sizeClass.free.pop_back();
  } else if (!make(sizeClass, stack)) {
    return false;
  }
  inUse_.fetch_add(1, std::memory_order_relaxed);
  return true;
}

void StackPool::giveBack(const Stack &stack) {
  MutexLock lock(mutex_);
  classOf(static_cast<size_t>(stack.high - stack.low)).free.push_back(stack);
  inUse_.fetch_sub(1, std::memory_order_relaxed);
}

StackPool::SizeClass &StackPool::classOf(size_t usable) {
  for (SizeClass &sizeClass : classes_)
    if (sizeClass.usable == usable) return sizeClass;
  return classes_.emplace_back(SizeClass{usable, {}});
}

// make() guards a stack when it is first taken: most programs need a few, and each guard is a call of the system.
bool StackPool::make(SizeClass &sizeClass, Stack &stack) {
  if (sizeClass.left == 0 && !addSlab(sizeClass)) return false;
  if (!installGuard(sizeClass.next)) return false;
  stack.low = sizeClass.next + kGuardBytes;
  stack.high = stack.low + sizeClass.usable;
  sizeClass.next = stack.high;
  --sizeClass.left;
  ++sizeClass.made;
  return true;
}

bool StackPool::addSlab(SizeClass &sizeClass) {
  const size_t slot = sizeClass.usable + kGuardBytes;
  const size_t count = std::clamp(kSlabBytes / slot, size_t{1}, kMostStacksPerSlab);
  const size_t bytes = slot * count;
  sizeClass.free.reserve(sizeClass.made + count);  // giving a stack back needs no memory
  void *base =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (base == MAP_FAILED) return false;
  madvise(base, bytes, MADV_NOHUGEPAGE);  // an idle fiber shall cost one or two small pages, not a huge one
  sizeClass.next = static_cast<char *>(base);
  sizeClass.left = count;
  slabs_.push_back({base, bytes});
  return true;
}

}  // namespace hostwarp::fibers
