#include <algorithm>
#include <cstring>
#include <vector>

#include "emu_runtime/memory/freed_blocks.h"
#include "emu_runtime/memory/pages.h"
#include "tests/unit/emu_runtime/test_module.h"

namespace hostwarp::tests {
namespace {

using Allocation = RuntimeTest;

void *allocate(size_t bytes) {
  void *memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, bytes), cudaSuccess);
  return memory;
}

TEST_F(Allocation, DeviceMemoryIsAlignedAndUsableToTheLastByte) {
  for (size_t bytes : {1, 255, 4096, 100000, 5 << 20}) {
    void *memory = allocate(bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % 256, 0U);
    std::memset(memory, 0xAB, bytes);
    EXPECT_EQ(cudaFree(memory), cudaSuccess);
  }
}

// A stencil that reads the row above the first one, and drops it, works on a GPU.
TEST_F(Allocation, ReadsSlightlyOutsideFindZeros) {
  for (size_t bytes : {4096, 5 << 20}) {
    auto *memory = static_cast<volatile char *>(allocate(bytes));
    EXPECT_EQ(memory[-32768], 0);
    EXPECT_EQ(memory[bytes + 32768], 0);
    EXPECT_EQ(cudaFree(const_cast<char *>(memory)), cudaSuccess);
  }
}

TEST_F(Allocation, ZeroBytesGiveNull) {
  void *memory = this;
  EXPECT_EQ(cudaMalloc(&memory, 0), cudaSuccess);
  EXPECT_EQ(memory, nullptr);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
  EXPECT_EQ(cudaMalloc(nullptr, 8), cudaErrorInvalidValue);
}

TEST_F(Allocation, FreeingWhatIsNotAllocatedFails) {
  auto *memory = static_cast<char *>(allocate(1024));
  int local = 0;
  EXPECT_EQ(cudaFree(memory + 256), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(&local), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(memory), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
  EXPECT_EQ(cudaFree(memory), cudaErrorInvalidValue);
}

TEST_F(Allocation, MoreThanTheDeviceHasIsRefused) {
  size_t free = 0, total = 0;
  ASSERT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  EXPECT_LE(free, total);
  void *memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, total + 1), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaMalloc(&memory, SIZE_MAX), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaMallocHost(&memory, memory::pages::physicalBytes()), cudaErrorMemoryAllocation);
}

TEST_F(Allocation, FreedMemoryCountsAsFreeAgain) {
  size_t before = 0, during = 0, after = 0, total = 0;
  (void)cudaMemGetInfo(&before, &total);
  void *memory = allocate(64 << 20);
  (void)cudaMemGetInfo(&during, &total);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
  (void)cudaMemGetInfo(&after, &total);
  EXPECT_LE(during, total - (64 << 20));
  EXPECT_GT(after, during);
}

using AllocationDeathTest = RuntimeTest;
TEST_F(AllocationDeathTest, FreedMemoryFaults) {
  auto *memory = static_cast<volatile char *>(allocate(1 << 20));
  EXPECT_EQ(cudaFree(const_cast<char *>(memory)), cudaSuccess);
  EXPECT_DEATH(memory[0] = 1, "");
}

// Small blocks are out of reach before a kernel could run, pinned ones at once.
TEST_F(AllocationDeathTest, SmallFreedMemoryFaults) {
  auto *memory = static_cast<volatile char *>(allocate(4096));
  EXPECT_EQ(cudaFree(const_cast<char *>(memory)), cudaSuccess);
  memory::FreedBlocks::seal();
  EXPECT_DEATH(memory[0] = 1, "");
  void *pinned = nullptr;
  ASSERT_EQ(cudaMallocHost(&pinned, 100), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
  EXPECT_DEATH(static_cast<volatile char *>(pinned)[0] = 1, "");
}

TEST_F(AllocationDeathTest, KernelsFindFreedMemoryOutOfReach) {
  int *const memory = deviceInts(1, 0);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
  EXPECT_EQ(launch(storeInt, 1, 1, nullptr, memory, 7), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
}

// Small blocks come again, zeroed, but others of the size are freed before; kernels may have run meanwhile.
TEST_F(Allocation, SmallBlocksComeAgainLateAndZeroed) {
  std::vector<void *> freed;
  size_t again = 0;
  for (size_t i = 0; i < 4 * memory::FreedBlocks::most; ++i) {
    void *memory = allocate(3 << 12);
    const auto before = std::ranges::find(freed.rbegin(), freed.rend(), memory);
    if (before != freed.rend()) {
      ++again;
      EXPECT_GE(static_cast<size_t>(before - freed.rbegin()), memory::FreedBlocks::between);
    }
    const char *bytes = static_cast<char *>(memory);
    EXPECT_EQ(std::count(bytes, bytes + (3 << 12), 0), 3 << 12);
    std::memset(memory, 1, 3 << 12);
    EXPECT_EQ(cudaFree(memory), cudaSuccess);
    freed.push_back(memory);
    if (i % 3 == 0) memory::FreedBlocks::seal();
  }
  EXPECT_GT(again, memory::FreedBlocks::most);
}

TEST_F(Allocation, PitchedRowsAreAligned) {
  void *memory = nullptr;
  size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&memory, &pitch, 100, 3), cudaSuccess);
  EXPECT_EQ(pitch, 512U);
  std::memset(memory, 1, 3 * pitch);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
  cudaPitchedPtr box{};
  ASSERT_EQ(cudaMalloc3D(&box, cudaExtent{600, 2, 2}), cudaSuccess);
  EXPECT_EQ(box.pitch, 1024U);
  EXPECT_EQ(box.xsize, 600U);
  EXPECT_EQ(box.ysize, 2U);
  EXPECT_EQ(cudaFree(box.ptr), cudaSuccess);
  EXPECT_EQ(cudaMallocPitch(&memory, &pitch, SIZE_MAX, 2), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMallocPitch(&memory, &pitch, SIZE_MAX / 2, 4), cudaErrorMemoryAllocation);
}

TEST_F(Allocation, AttributesTellTheKindsApart) {
  void *device = allocate(64), *host = nullptr, *managed = nullptr;
  ASSERT_EQ(cudaMallocHost(&host, 64), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(&managed, 64, cudaMemAttachGlobal), cudaSuccess);
  int local = 0;
  auto typeOf = [](const void *pointer) {
    cudaPointerAttributes attributes{};
    EXPECT_EQ(cudaPointerGetAttributes(&attributes, pointer), cudaSuccess);
    return attributes.type;
  };
  EXPECT_EQ(typeOf(static_cast<char *>(device) + 63), cudaMemoryTypeDevice);
  EXPECT_EQ(typeOf(host), cudaMemoryTypeHost);
  EXPECT_EQ(typeOf(managed), cudaMemoryTypeManaged);
  EXPECT_EQ(typeOf(&local), cudaMemoryTypeUnregistered);
  EXPECT_EQ(typeOf(managedPointer), cudaMemoryTypeManaged);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(cudaFree(managed), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(host), cudaSuccess);
}

TEST_F(Allocation, RegisteringHostMemory) {
  std::vector<char> buffer(8192);
  void *device = nullptr;
  unsigned flags = 0;
  EXPECT_EQ(cudaHostUnregister(buffer.data()), cudaErrorHostMemoryNotRegistered);
  ASSERT_EQ(cudaHostRegister(buffer.data(), buffer.size(), cudaHostRegisterMapped), cudaSuccess);
  EXPECT_EQ(cudaHostRegister(buffer.data() + 100, 10, 0), cudaErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(cudaHostGetDevicePointer(&device, buffer.data(), 0), cudaSuccess);
  EXPECT_EQ(device, buffer.data());
  EXPECT_EQ(cudaHostGetFlags(&flags, buffer.data()), cudaSuccess);
  EXPECT_EQ(flags, unsigned{cudaHostRegisterMapped});
  EXPECT_EQ(cudaFreeHost(buffer.data()), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostUnregister(buffer.data()), cudaSuccess);
  EXPECT_EQ(cudaHostGetDevicePointer(&device, buffer.data(), 0), cudaErrorInvalidValue);
}

TEST_F(Allocation, ResetFreesEverything) {
  void *memory = allocate(1 << 20);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cudaFree(memory), cudaErrorInvalidValue);
}

}  // namespace
}  // namespace hostwarp::tests
