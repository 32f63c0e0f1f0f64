// Memory that runs out: the devices', and the program's own.
#include <cstdlib>
#include <functional>
#include <new>
#include <vector>

#include "emu_runtime/driver/declarations.h"
#include "tests/stress/faults.h"
#include "tests/stress/kernels.h"
#include "tests/stress/random.h"

namespace {

// allocationsLeft counts down to the allocation of this thread that fails; negative: none does. Those behind it fail as
// well when the failure `lasts`.
thread_local int allocationsLeft = -1;
thread_local bool lasts = true;
thread_local bool allocationFailed = false;

void *allocateOrNull(size_t bytes, size_t alignment) {
  if (allocationsLeft == 0) {
    allocationFailed = true;
    if (!lasts) allocationsLeft = -1;
    return nullptr;
  }
  if (allocationsLeft > 0) --allocationsLeft;
  if (bytes == 0) bytes = 1;
  return alignment ? std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment)
                   : std::malloc(bytes);
}

void *allocate(size_t bytes, size_t alignment = 0) {
  if (void *memory = allocateOrNull(bytes, alignment)) return memory;
  throw std::bad_alloc();
}

// release() is no part of its callers, where g++ would see free() of what the operator new below has made.
[[gnu::noinline]] void release(void *memory) noexcept { std::free(memory); }

}  // namespace

// The libraries take these too.
void *operator new(size_t bytes) { return allocate(bytes); }
void *operator new[](size_t bytes) { return allocate(bytes); }
void *operator new(size_t bytes, std::align_val_t alignment) { return allocate(bytes, static_cast<size_t>(alignment)); }
void *operator new(size_t bytes, const std::nothrow_t &) noexcept { return allocateOrNull(bytes, 0); }
void *operator new(size_t bytes, std::align_val_t alignment, const std::nothrow_t &) noexcept {
  return allocateOrNull(bytes, static_cast<size_t>(alignment));
}
void operator delete(void *memory) noexcept { release(memory); }
void operator delete[](void *memory) noexcept { release(memory); }
void operator delete(void *memory, size_t) noexcept { release(memory); }
void operator delete[](void *memory, size_t) noexcept { release(memory); }
void operator delete(void *memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void *memory, size_t, std::align_val_t) noexcept { release(memory); }

namespace hostwarp::stress {
namespace {

constexpr size_t MiB = size_t{1} << 20;

size_t freeMemory() {
  size_t free = 0, total = 0;
  cudaMemPool_t pool = nullptr;
  bool good = HOSTWARP_WORKS(cudaDeviceSynchronize()) && HOSTWARP_WORKS(cudaDeviceGetDefaultMemPool(&pool, 0)) &&
              HOSTWARP_WORKS(cudaMemPoolTrimTo(pool, 0)) && HOSTWARP_WORKS(cudaDeviceGraphMemTrim(0)) &&
              HOSTWARP_WORKS(cudaMemGetInfo(&free, &total));
  return good ? free : 0;
}

// Maker is one way to get memory of a device, and to give it back.
struct Maker {
  const char *name;
  std::function<cudaError_t(uint64_t *handle, size_t bytes)> make;
  std::function<cudaError_t(uint64_t handle)> destroy;
};

template <typename T>
T *as(uint64_t *handle) {
  return reinterpret_cast<T *>(handle);
}
void *pointer(uint64_t handle) { return reinterpret_cast<void *>(handle); }  // NOLINT(performance-no-int-to-ptr)

cudaError_t makeMapped(uint64_t *handle, size_t bytes) {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  const size_t granularity = 2 * MiB;
  const auto rounded = (bytes + granularity - 1) / granularity * granularity;
  return static_cast<cudaError_t>(cuMemCreate(as<CUmemGenericAllocationHandle>(handle), rounded, &properties, 0));
}

// A graph that allocates, launched once.
cudaError_t makeByGraph(uint64_t *handle, size_t bytes) {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaMemAllocNodeParams params{};
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location.type = cudaMemLocationTypeDevice;
  params.bytesize = bytes;
  cudaError_t error = cudaGraphCreate(&graph, 0);
  if (error == cudaSuccess) error = cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &params);
  if (error == cudaSuccess) error = cudaGraphInstantiate(&executable, graph, 0);
  if (error == cudaSuccess) error = cudaGraphLaunch(executable, nullptr);
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  if (executable) (void)cudaGraphExecDestroy(executable);
  if (graph) (void)cudaGraphDestroy(graph);
  *handle = reinterpret_cast<uint64_t>(params.dptr);
  return error;
}

cudaError_t makeArray(uint64_t *handle, size_t bytes) {
  const cudaChannelFormatDesc format{32, 0, 0, 0, cudaChannelFormatKindFloat};
  return cudaMallocArray(as<cudaArray_t>(handle), &format, 256, bytes / 1024, 0);
}

cudaError_t makeMipmapped(uint64_t *handle, size_t bytes) {
  const cudaChannelFormatDesc format{32, 0, 0, 0, cudaChannelFormatKindFloat};
  return cudaMallocMipmappedArray(as<cudaMipmappedArray_t>(handle), &format, {256, bytes / 1024, 0}, 2, 0);
}

cudaError_t makePitched(uint64_t *handle, size_t bytes) {
  size_t pitch = 0;
  return cudaMallocPitch(as<void *>(handle), &pitch, 1000, bytes / 1024);
}

std::vector<Maker> makers() {
  auto freeIt = [](uint64_t handle) { return cudaFree(pointer(handle)); };
  return {{"cudaMalloc", [](uint64_t *handle, size_t bytes) { return cudaMalloc(as<void *>(handle), bytes); }, freeIt},
          {"cudaMallocPitch", makePitched, freeIt},
          {"cudaMallocAsync",
           [](uint64_t *handle, size_t bytes) { return cudaMallocAsync(as<void *>(handle), bytes, nullptr); },
           [](uint64_t handle) { return cudaFreeAsync(pointer(handle), nullptr); }},
          {"cudaMallocArray", makeArray,
           [](uint64_t handle) { return cudaFreeArray(static_cast<cudaArray_t>(pointer(handle))); }},
          {"cudaMallocMipmappedArray", makeMipmapped,
           [](uint64_t handle) { return cudaFreeMipmappedArray(static_cast<cudaMipmappedArray_t>(pointer(handle))); }},
          {"cuMemCreate", makeMapped, [](uint64_t handle) { return static_cast<cudaError_t>(cuMemRelease(handle)); }},
          {"graph", makeByGraph, freeIt}};
}

// Takes memory until there is none, in random pieces; the rest goes on, and all of it comes back.
bool exhaust(const Maker &maker, Random &random) {
  const size_t before = freeMemory();
  std::vector<uint64_t> handles;
  cudaError_t error = cudaSuccess;
  for (uint64_t handle = 0;; handles.push_back(handle)) {
    error = maker.make(&handle, (random.below(4) + 1) * MiB);
    if (error != cudaSuccess || handles.size() > 1000) break;
  }
  bool good = HOSTWARP_EXPECTED(error == cudaErrorMemoryAllocation);
  (void)cudaGetLastError();
  good = HOSTWARP_WORKS(cudaDeviceSynchronize()) && good;
  if (!handles.empty()) {
    good = HOSTWARP_WORKS(maker.destroy(handles.back())) && good;
    handles.pop_back();
  }
  (void)freeMemory();  // trims
  good = worksStill() && good;
  for (uint64_t handle : handles) good = HOSTWARP_WORKS(maker.destroy(handle)) && good;
  good = HOSTWARP_EXPECTED(freeMemory() == before) && good;
  if (!good) std::printf("... with %s\n", maker.name);
  return good;
}

}  // namespace

bool deviceMemoryFaults(const FaultOptions &options) {
  Random random(options.seed);
  bool good = HOSTWARP_WORKS(cudaFree(nullptr)) && worksStill();
  for (int round = 0; round < options.rounds && good; ++round)
    for (const Maker &maker : makers()) good = exhaust(maker, random) && good;
  void *memory = nullptr;
  good = HOSTWARP_EXPECTED(cudaMallocHost(&memory, size_t{1} << 46) == cudaErrorMemoryAllocation) && good;
  good = HOSTWARP_EXPECTED(cudaMallocManaged(&memory, size_t{1} << 46, 1) == cudaErrorMemoryAllocation) && good;
  return good;
}

namespace {

void nothing(void *) {}

// MemoryGraph is a graph that allocates memory, which outlives its launch, and records an event. A launch that fails
// leaves neither outstanding.
struct MemoryGraph {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  cudaEvent_t event = nullptr;
  void *memory = nullptr;
  bool launched = false;

  void make() {
    cudaMemAllocNodeParams allocation{};
    allocation.poolProps.allocType = cudaMemAllocationTypePinned;
    allocation.poolProps.location.type = cudaMemLocationTypeDevice;
    allocation.bytesize = 4096;
    cudaGraphNode_t allocate = nullptr, fill = nullptr, record = nullptr;
    cudaMemsetParams zeros{};
    if (cudaEventCreate(&event) || cudaGraphCreate(&graph, 0)) return;
    if (cudaGraphAddMemAllocNode(&allocate, graph, nullptr, 0, &allocation)) return;
    memory = allocation.dptr;
    zeros.dst = memory;
    zeros.elementSize = 4;
    zeros.width = 64;
    zeros.height = 1;
    if (cudaGraphAddMemsetNode(&fill, graph, &allocate, 1, &zeros)) return;
    if (cudaGraphAddEventRecordNode(&record, graph, &fill, 1, event)) return;
    (void)cudaGraphInstantiate(&executable, graph, 0);
  }
  void launch(cudaStream_t stream) { launched = executable && cudaGraphLaunch(executable, stream) == cudaSuccess; }

  // pre: no allocation fails any more, the context is sound.
  bool check() const {
    bool good = !event || HOSTWARP_WORKS(cudaEventSynchronize(event));
    if (!executable) return good;
    good = (launched || HOSTWARP_WORKS(cudaGraphLaunch(executable, nullptr))) && good;
    return HOSTWARP_WORKS(cudaDeviceSynchronize()) && HOSTWARP_WORKS(cudaFree(memory)) && good;
  }
  void destroy() const {
    if (executable) (void)cudaGraphExecDestroy(executable);
    if (graph) (void)cudaGraphDestroy(graph);
    if (event) (void)cudaEventDestroy(event);
  }
};

// Scenario is what programs do, a little of everything. Errors are passed over: what has not come to be is null.
class Scenario {
 public:
  // run() tells whether all could be given back, so that there is something to compare.
  bool run() {
    make();
    if (data_ && stream_) work();
    if (graph_ && cudaGraphInstantiate(&executable_, graph_, 0) == cudaSuccess)
      (void)cudaGraphLaunch(executable_, stream_);
    memoryGraph_.make();
    memoryGraph_.launch(stream_);
    (void)cudaMemcpyToSymbol(plainVariable, source_, 16, 0, cudaMemcpyHostToDevice);
    allocationsLeft = -1;
    // Work that could not start is a context's end, as a kernel's fault is.
    const bool sound = cudaDeviceSynchronize() == cudaSuccess;
    const bool good = sound ? memoryGraph_.check() : HOSTWARP_WORKS(cudaDeviceReset());
    destroyGraphs();
    if (sound) destroyRest();
    return good;
  }

 private:
  void make() {
    const cudaChannelFormatDesc format{32, 0, 0, 0, cudaChannelFormatKindFloat};
    (void)cudaStreamCreate(&stream_);
    (void)cudaEventCreate(&event_);
    (void)cudaMalloc(reinterpret_cast<void **>(&data_), 4096);
    (void)cudaMallocHost(&pinned_, 4096);
    (void)cudaMallocAsync(&async_, 4096, stream_);
    (void)cudaMallocArray(&array_, &format, 8, 8, 0);
  }

  void work() {
    (void)launch(addInts, 1, 32, stream_, data_, 32, 1);
    (void)cudaMemcpyAsync(data_, source_, sizeof(source_), cudaMemcpyHostToDevice, stream_);
    (void)cudaMemsetAsync(data_, 0, 4096, stream_);
    if (event_) (void)cudaEventRecord(event_, stream_);
    if (event_) (void)cudaStreamWaitEvent(nullptr, event_, 0);
    (void)cudaLaunchHostFunc(stream_, nothing, nullptr);
    if (cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed) != cudaSuccess) return;
    (void)launch(addInts, 1, 32, stream_, data_, 32, 1);
    (void)cudaMemsetAsync(data_, 0, 4096, stream_);
    (void)cudaStreamEndCapture(stream_, &graph_);
  }

  void destroyGraphs() {
    memoryGraph_.destroy();
    if (executable_) (void)cudaGraphExecDestroy(executable_);
    if (graph_) (void)cudaGraphDestroy(graph_);
  }

  void destroyRest() {
    if (async_) (void)cudaFreeAsync(async_, stream_);
    if (array_) (void)cudaFreeArray(array_);
    (void)cudaFreeHost(pinned_);
    (void)cudaFree(data_);
    if (event_) (void)cudaEventDestroy(event_);
    if (stream_) (void)cudaStreamDestroy(stream_);
  }

  cudaStream_t stream_ = nullptr;
  cudaEvent_t event_ = nullptr;
  int *data_ = nullptr;
  void *async_ = nullptr, *pinned_ = nullptr;
  cudaArray_t array_ = nullptr;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
  MemoryGraph memoryGraph_;
  int source_[64] = {};
};

// mostIsThere() takes a large part of the device's memory in one piece, and gives it back.
bool mostIsThere() {
  void *memory = nullptr;
  return HOSTWARP_WORKS(cudaMalloc(&memory, 32 * MiB)) && HOSTWARP_WORKS(cudaFree(memory));
}

// failEach() lets one allocation after the other fail, until the scenario has no more of them.
bool failEach(const FaultOptions &options) {
  const size_t before = freeMemory();
  constexpr int most = 2000;
  int failing = 0;
  bool good = true;
  for (bool reached = true; reached && good && failing < most; ++failing) {
    // In the short form some are left out.
    if (options.rounds < most && failing > options.rounds && failing % 7 != static_cast<int>(options.seed % 7))
      continue;
    allocationFailed = false;
    allocationsLeft = failing;
    good = Scenario().run();
    reached = allocationFailed;
    (void)cudaGetLastError();
    good = worksStill() && mostIsThere() && good && HOSTWARP_EXPECTED(freeMemory() == before);
    if (!good) std::printf("... after allocation %d failed\n", failing);
  }
  std::printf("%d allocations\n", failing - 1);
  return good;
}

}  // namespace

bool hostMemoryFaults(const FaultOptions &options) {
  bool good = worksStill() && Scenario().run();
  for (bool each : {true, false}) {
    lasts = each;
    good = failEach(options) && good;
  }
  return good;
}

}  // namespace hostwarp::stress
