#include <algorithm>
#include <limits>

#include "device_model/properties.h"

namespace hostwarp::device_model {
namespace {

constexpr size_t kib = 1024;
constexpr size_t mib = 1024 * kib;

// The stack of one thread may grow until all resident threads together fill local memory, or to 512 KiB.
constexpr size_t largestStack = 512 * kib - kib;

// What an H100 has room for: more becomes this many.
constexpr size_t mostPendingLaunches = 599186;

struct LimitRow {
  cudaLimit limit;
  size_t initial;
  size_t least;    // smaller ones become it
  size_t unit;     // which others are rounded up to
  size_t largest;  // 0: bounded by the device's memory
  int major;       // first compute capability that has it
  int lastMajor = 99;
};
constexpr LimitRow limits[] = {
    {cudaLimitStackSize, 1 * kib, 0, 16, largestStack, 5},
    {cudaLimitPrintfFifoSize, 0, 512 * kib, 256, 0, 5},  // printfBuffer()
    {cudaLimitMallocHeapSize, 8 * mib, 4 * mib, 64 * kib, 0, 5},
    {cudaLimitDevRuntimeSyncDepth, 2, 0, 1, 24, 5, 8},
    {cudaLimitDevRuntimePendingLaunchCount, 2048, 32, 1, mostPendingLaunches, 5},
    {cudaLimitMaxL2FetchGranularity, 64, 0, 1, 128, 8},
};

const LimitRow *findLimit(const Gpu &gpu, cudaLimit limit) {
  for (const LimitRow &row : limits)
    if (row.limit == limit && gpu.capability->major >= row.major && gpu.capability->major <= row.lastMajor) return &row;
  return nullptr;
}

// printfBuffer() is what an H100 has (132 multiprocessors: 8,650,752 bytes), at least what CUDA documents.
size_t printfBuffer(const Gpu &gpu) {
  return std::max<size_t>(1 * mib, 64 * kib * static_cast<size_t>(properties(gpu).multiProcessorCount));
}

bool persisting(const Gpu &gpu, cudaLimit limit) {
  return limit == cudaLimitPersistingL2CacheSize && gpu.capability->persistingL2Sixteenths > 0;
}

size_t roundedUp(size_t value, size_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

std::optional<size_t> defaultLimit(const Gpu &gpu, cudaLimit limit) {
  if (persisting(gpu, limit)) return static_cast<size_t>(gpu.l2Bytes) / 16 * 3;
  if (limit == cudaLimitPrintfFifoSize) return printfBuffer(gpu);
  const LimitRow *row = findLimit(gpu, limit);
  return row ? std::optional<size_t>(row->initial) : std::nullopt;
}

std::optional<size_t> largestLimit(const Gpu &gpu, cudaLimit limit) {
  if (limit == cudaLimitDevRuntimePendingLaunchCount) return std::numeric_limits<size_t>::max();
  if (persisting(gpu, limit)) return static_cast<size_t>(properties(gpu).persistingL2CacheMaxSize);
  const LimitRow *row = findLimit(gpu, limit);
  if (!row) return std::nullopt;
  return row->largest != 0 ? row->largest : gpu.memoryBytes;
}

size_t settledLimit(const Gpu &gpu, cudaLimit limit, size_t value) {
  if (persisting(gpu, limit)) return roundedUp(value, static_cast<size_t>(gpu.l2Bytes) / 16);
  const LimitRow *row = findLimit(gpu, limit);
  if (!row) return value;
  value = std::max(value, row->least);
  return row->largest ? std::min(roundedUp(value, row->unit), row->largest) : roundedUp(value, row->unit);
}

}  // namespace hostwarp::device_model
