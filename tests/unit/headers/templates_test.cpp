// The templates and inline functions of <cuda_runtime.h> in plain C++. This file defines the C functions that they
// reach, in place of the runtime.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace {

// FakeDevice answers the occupancy questions: 2048 threads and `sharedBytes` of shared memory per multiprocessor.
struct FakeDevice {
  int kernelMaxThreads = 1024;
  int maxThreadsPerSm = 2048;
  size_t sharedBytes = 96 * 1024;
  std::vector<int> triedSizes;
} device;

const hw_kernel *registered;
dim3 launchedGrid, launchedBlock;
size_t launchedShared;

}  // namespace

extern "C" {
void hw_register_plain_kernel(const void *, const hw_kernel *code) noexcept { registered = code; }
void hw_plain_refresh() noexcept {}
cudaError_t cudaGetDevice(int *result) {
  *result = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int) {
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      *value = 1024;
      break;
    case cudaDevAttrWarpSize:
      *value = 32;
      break;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      *value = device.maxThreadsPerSm;
      break;
    case cudaDevAttrMultiProcessorCount:
      *value = 10;
      break;
    default:
      return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *) {
  *attributes = {};
  attributes->maxThreadsPerBlock = device.kernelMaxThreads;
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *, int size, size_t shared,
                                                                   unsigned) {
  device.triedSizes.push_back(size);
  int roundedSize = (size + 31) / 32 * 32;
  *blocks = device.maxThreadsPerSm / roundedSize;
  if (shared) *blocks = std::min<int>(*blocks, device.sharedBytes / shared);
  return cudaSuccess;
}
// Runs the kernel once, as the runtime would for one thread.
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *, void **arguments) {
  launchedGrid = config->gridDim;
  launchedBlock = config->blockDim;
  launchedShared = config->dynamicSmemBytes;
  registered->entries[0].run.thread(arguments);
  return cudaSuccess;
}
cudaError_t cudaLaunchKernel(const void *, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t) {
  launchedGrid = grid;
  launchedBlock = block;
  launchedShared = shared;
  registered->entries[0].run.thread(arguments);
  return cudaSuccess;
}
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
  return {x, y, z, w, f};
}
}

namespace {

__global__ void store(double *to, double value) { *to = value; }
int runs;
__global__ void countRuns() { ++runs; }
__constant__ int table[4];

TEST(PlainLaunch, ArgumentsAreConvertedToTheKernelsTypes) {
  double result = 0;
  EXPECT_EQ(hostwarp::launch(dim3(2, 3), 64, 128, nullptr, store, &result, 7), cudaSuccess);
  EXPECT_EQ(result, 7.0);
  EXPECT_EQ(launchedGrid.y, 3u);
  EXPECT_EQ(launchedBlock.x, 64u);
  EXPECT_EQ(launchedShared, 128u);
  ASSERT_EQ(registered->parameterCount, 3u);  // the kernel's own and the function
  EXPECT_EQ(registered->parameters[1].bytes, sizeof(double));
}

TEST(PlainLaunch, CLaunchTakesAddressesOfArguments) {
  double result = 0, value = 3.5;
  double *to = &result;
  void *arguments[] = {&to, &value};
  EXPECT_EQ(cudaLaunchKernel(store, 1, 1, arguments), cudaSuccess);
  EXPECT_EQ(result, 3.5);
}

TEST(PlainLaunch, KernelWithoutParameters) {
  runs = 0;
  EXPECT_EQ(hostwarp::launch(1, 1, 0, nullptr, countRuns), cudaSuccess);
  EXPECT_EQ(runs, 1);
}

TEST(Occupancy, LargestBlockWinsWhereSeveralFillTheMultiprocessor) {
  device = {};
  int grid = 0, block = 0;
  EXPECT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, store), cudaSuccess);
  EXPECT_EQ(block, 1024);
  EXPECT_EQ(grid, 20);
  EXPECT_EQ(device.triedSizes.size(), 1u);  // a full multiprocessor ends the search
}

TEST(Occupancy, SmallerBlockWinsWhereTheLargestLeavesThreadsIdle) {
  device = {};
  device.maxThreadsPerSm = 1536;
  int grid = 0, block = 0;
  EXPECT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, store), cudaSuccess);
  EXPECT_EQ(block, 768);
  EXPECT_EQ(grid, 20);
}

TEST(Occupancy, LimitsOfCallerAndKernel) {
  device = {};
  int grid = 0, block = 0;
  EXPECT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, store, 0, 100), cudaSuccess);
  EXPECT_EQ(device.triedSizes.front(), 100);
  device.triedSizes.clear();
  device.kernelMaxThreads = 256;
  EXPECT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, store), cudaSuccess);
  EXPECT_EQ(block, 256);
  EXPECT_EQ(cudaOccupancyMaxPotentialBlockSize(nullptr, &block, store), cudaErrorInvalidValue);
}

TEST(Occupancy, SharedMemoryThatGrowsWithTheBlock) {
  device = {};
  int grid = 0, block = 0;
  auto bytes = [](int size) { return static_cast<size_t>(size) * 64; };
  EXPECT_EQ(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, store, bytes), cudaSuccess);
  EXPECT_EQ(block * (grid / 10), 1536);  // 96 KiB / 64 bytes per thread
}

TEST(PlainSymbols, RangeIsChecked) {
  int values[] = {1, 2};
  EXPECT_EQ(cudaMemcpyToSymbol(table, values, sizeof values, 2 * sizeof(int)), cudaSuccess);
  EXPECT_EQ(table[3], 2);
  EXPECT_EQ(cudaMemcpyToSymbol(table, values, sizeof values, 3 * sizeof(int)), cudaErrorInvalidValue);
  size_t size = 0;
  EXPECT_EQ(cudaGetSymbolSize(&size, table), cudaSuccess);
  EXPECT_EQ(size, sizeof table);
}

TEST(ChannelDesc, FollowsTheTexelType) {
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<uchar4>();
  EXPECT_EQ(desc.w, 8);
  EXPECT_EQ(desc.f, cudaChannelFormatKindUnsigned);
  desc = cudaCreateChannelDesc<float2>();
  EXPECT_EQ(desc.y, 32);
  EXPECT_EQ(desc.z, 0);
  EXPECT_EQ(desc.f, cudaChannelFormatKindFloat);
  EXPECT_EQ(cudaCreateChannelDesc<double>().f, cudaChannelFormatKindNone);
  EXPECT_EQ(cudaCreateChannelDesc<cudaChannelFormatKindUnsignedNormalized1010102>().w, 2);
}

TEST(VectorTypes, Dim3ConvertsBothWays) {
  dim3 grid(4, 5);
  uint3 extent = grid;
  EXPECT_EQ(extent.y, 5u);
  EXPECT_EQ(extent.z, 1u);
  EXPECT_EQ(dim3(make_uint3(7, 8, 9)).z, 9u);
  EXPECT_EQ(make_double4(1, 2, 3, 4).w, 4.0);
}

}  // namespace
