#include <cstdio>
#include <cstdlib>
#include <thread>

#include "device_model/properties.h"
#include "emu_runtime/support/options.h"
#include "gpu_backend/probe.h"
#include "include/hostwarp/device_abi.h"
#include "tools/hostwarp/commands.h"
#include "tools/hostwarp/runtime.h"

namespace hostwarp::tool {
namespace {

constexpr double gib = 1 << 30;
constexpr size_t kib = 1024;

void printDevice(int number, const cudaDeviceProp &p) {
  std::printf("\ndevice %d: %s\n", number, p.name);
  std::printf("  compute capability %d.%d, %d SMs, %.1f GiB memory, %d KiB L2\n", p.major, p.minor,
              p.multiProcessorCount, static_cast<double>(p.totalGlobalMem) / gib, p.l2CacheSize / 1024);
  std::printf("  per block: %d threads (%d x %d x %d), %d registers, %zu KiB shared memory (%zu KiB after opting in)\n",
              p.maxThreadsPerBlock, p.maxThreadsDim[0], p.maxThreadsDim[1], p.maxThreadsDim[2], p.regsPerBlock,
              p.sharedMemPerBlock / kib, p.sharedMemPerBlockOptin / kib);
  std::printf("  per SM: %d threads, %d blocks, %zu KiB shared memory\n", p.maxThreadsPerMultiProcessor,
              p.maxBlocksPerMultiProcessor, p.sharedMemPerMultiprocessor / kib);
  std::printf("  grid: %d x %d x %d; clusters: %s; cooperative launch: %s\n", p.maxGridSize[0], p.maxGridSize[1],
              p.maxGridSize[2], p.clusterLaunch ? "yes" : "no", p.cooperativeLaunch ? "yes" : "no");
}

// printGpus() tells what there is for running kernels on a real GPU, and what HOSTWARP_BACKEND=auto makes of it.
void printGpus() {
  const gpu_backend::Machine &machine = gpu_backend::probeMachine();
  const char *const setting = gpu_backend::settingOfCpu();
  std::printf("\nreal GPUs: %zu\n", machine.gpus.size());
  for (const gpu_backend::Gpu &gpu : machine.gpus)
    std::printf("  %s, compute capability %d.%d\n", gpu.name.c_str(), gpu.capability / 10, gpu.capability % 10);
  if (!machine.driver.file.empty())
    std::printf("  driver %s, for CUDA %d.%d\n", machine.driver.file.c_str(), machine.driverVersion / 1000,
                machine.driverVersion % 1000 / 10);
  if (!machine.runtime.file.empty()) std::printf("  runtime library %s\n", machine.runtime.file.c_str());
  const bool isCpu = setting || !machine.problem.ok();
  std::printf("  HOSTWARP_BACKEND=auto runs kernels on the %s\n", isCpu ? "CPU" : "GPU");
  if (isCpu)
    std::printf("  %s\n", setting ? (std::string(setting) + " is set").c_str() : machine.problem.message().c_str());
}

void printDefaultLimits() {
  const device_model::Gpu &gpu = device_model::defaultGpu();
  const auto kibOf = [&gpu](cudaLimit limit) { return device_model::defaultLimit(gpu, limit).value_or(0) / kib; };
  std::printf("\nlimits unless the program sets them (cudaDeviceSetLimit):\n");
  std::printf("  stack per thread %zu KiB, device heap %zu KiB, printf buffer %zu KiB\n", kibOf(cudaLimitStackSize),
              kibOf(cudaLimitMallocHeapSize), kibOf(cudaLimitPrintfFifoSize));
}

void printEngine(const Runtime &runtime) {
  constexpr const char *isaNames[HW_ISA_COUNT] = {"baseline x86-64", "x86-64-v3 (AVX2)", "x86-64-v4 (AVX-512)"};
  const uint64_t workers = optionInteger(Option::WORKERS), seed = optionInteger(Option::SEED);
  const bool isAlone = seed != 0 || !optionText(Option::SCHEDULE).empty();
  const bool fibersOnly = seed != 0 || optionText(Option::FORM) == "fibers";
  std::printf("\nengine: %s\n", fibersOnly ? "a fiber for each thread"
                                           : "whole blocks by one function where kernels have one, else a fiber for "
                                             "each thread");
  std::printf("  workers: %llu\n",
              static_cast<unsigned long long>(isAlone       ? 1
                                              : workers > 0 ? workers
                                                            : std::thread::hardware_concurrency()));
  std::printf("  schedule: %s\n", seed == 0 ? "in order" : ("random, seed " + std::to_string(seed)).c_str());
  std::printf("  kernels run as %s code\n", isaNames[*runtime.isaLevel < HW_ISA_COUNT ? *runtime.isaLevel : 0]);
}

void printOptions() {
  std::printf("\noptions (environment variables; * is set):\n");
  for (int i = 0; i < optionCount; i++) {
    const OptionInfo &option = optionInfo(i);
    const char *value = std::getenv(option.variable);
    std::printf("%c %-22s %-10s %s\n", value ? '*' : ' ', option.variable, value ? value : option.byDefault,
                option.help);
  }
}

int printRuntime(const Runtime &runtime, const std::string &path) {
  int version = 0, count = 0;
  runtime.version(&version);
  std::printf("hostwarp %s, %s (CUDA %d.%d)\n", HOSTWARP_VERSION, path.c_str(), version / 1000, version % 1000 / 10);
  if (runtime.deviceCount(&count) != cudaSuccess) std::printf("\nno devices (CUDA_VISIBLE_DEVICES hides them all)\n");
  for (int i = 0; i < count; i++) {
    cudaDeviceProp p{};
    if (runtime.deviceProperties(&p, i) == cudaSuccess) printDevice(i, p);
  }
  return 0;
}

}  // namespace

int info(Arguments arguments) {
  if (!arguments.empty()) return fail("info takes no arguments");
  const Runtime runtime = loadRuntime();
  if (!runtime.complete()) return fail(runtimeComplaint());
  printRuntime(runtime, runtimePath());
  printGpus();
  printDefaultLimits();
  printEngine(runtime);
  printOptions();
  return 0;
}

}  // namespace hostwarp::tool
