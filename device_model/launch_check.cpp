#include "device_model/launch_check.h"

namespace hostwarp::device_model {
namespace {

struct Request {
  const Gpu &gpu;
  const KernelResources &kernel;
  const LaunchShape &shape;
};

std::string number(uint64_t value) { return std::to_string(value); }

std::string extentText(const Extent &e) { return "(" + number(e[0]) + "," + number(e[1]) + "," + number(e[2]) + ")"; }

uint64_t volume(const Extent &e) { return uint64_t{e[0]} * e[1] * e[2]; }

int threadsOf(const LaunchShape &shape) { return static_cast<int>(volume(shape.block)); }

// Each check returns an empty string when its rule is kept, otherwise how it is broken.

std::string notEmpty(const char *what, const Extent &extent) {
  return volume(extent) != 0 ? "" : std::string(what) + " " + extentText(extent) + " has a zero dimension";
}

std::string withinLimits(const char *what, const Extent &extent, const int (&limits)[3]) {
  for (size_t i = 0; i < extent.size(); i++)
    if (extent[i] > static_cast<uint32_t>(limits[i]))
      return std::string(what) + " dimension " + "xyz"[i] + " is " + number(extent[i]) + "; the limit is " +
             std::to_string(limits[i]);
  return "";
}

std::string checkGridNotEmpty(const Request &r) { return notEmpty("grid", r.shape.grid); }
std::string checkGridWithinLimits(const Request &r) { return withinLimits("grid", r.shape.grid, maxGridDim); }
std::string checkBlockNotEmpty(const Request &r) { return notEmpty("block", r.shape.block); }
std::string checkBlockWithinLimits(const Request &r) { return withinLimits("block", r.shape.block, maxBlockDim); }

std::string checkThreadsPerBlock(const Request &r) {
  const uint64_t threads = volume(r.shape.block);
  if (threads <= maxThreadsPerBlock) return "";
  return "block has " + number(threads) + " threads; the limit is " + std::to_string(maxThreadsPerBlock);
}

std::string checkLaunchBounds(const Request &r) {
  if (threadsOf(r.shape) <= r.kernel.maxThreadsPerBlock) return "";
  return "block has " + std::to_string(threadsOf(r.shape)) + " threads; the kernel's __launch_bounds__ allow " +
         std::to_string(r.kernel.maxThreadsPerBlock);
}

std::string checkSharedMemory(const Request &r) {
  const std::optional<size_t> most = dynamicSharedLimit(r.gpu, r.kernel);
  if (!most)
    return "the kernel has " + number(r.kernel.staticSharedBytes) + " bytes of static shared memory; the limit is " +
           number(sharedPerBlock);
  if (r.shape.dynamicShared <= *most) return "";
  std::string text = number(r.shape.dynamicShared) +
                     " bytes of dynamic shared memory asked for; this kernel may have " + number(*most);
  if (r.shape.dynamicShared <= dynamicSharedOptinLimit(r.gpu, r.kernel))
    text += " (more needs cudaFuncSetAttribute with cudaFuncAttributeMaxDynamicSharedMemorySize)";
  return text;
}

std::string checkRegisters(const Request &r) {
  if (occupancy(r.gpu, r.kernel, threadsOf(r.shape), r.shape.dynamicShared).blocksPerSm > 0) return "";
  return std::to_string(threadsOf(r.shape)) + " threads of " + std::to_string(r.kernel.registers) +
         " registers each do not fit an SM";
}

bool hasCluster(const Request &r) { return volume(r.shape.cluster) != 1; }

std::string checkClusterSupported(const Request &r) {
  if (!hasCluster(r) || r.gpu.capability->hasClusters()) return "";
  return "thread block clusters need compute capability 9.0; " + std::string(r.gpu.name) + " has " +
         std::to_string(r.gpu.capability->major) + "." + std::to_string(r.gpu.capability->minor);
}

std::string checkClusterSize(const Request &r) {
  if (!hasCluster(r)) return "";
  const int allowed = maxPotentialClusterSize(r.gpu, r.kernel, threadsOf(r.shape), r.shape.dynamicShared);
  const uint64_t size = volume(r.shape.cluster);
  if (size != 0 && size <= static_cast<uint64_t>(allowed)) return "";
  return "cluster " + extentText(r.shape.cluster) + " has " + number(size) + " blocks; this kernel may have 1 to " +
         std::to_string(allowed);
}

std::string checkClusterDividesGrid(const Request &r) {
  for (size_t i = 0; i < r.shape.grid.size(); i++)
    if (r.shape.grid[i] % r.shape.cluster[i] != 0)
      return "grid " + extentText(r.shape.grid) + " is not a multiple of cluster " + extentText(r.shape.cluster);
  return "";
}

std::string checkCooperativeSupported(const Request &r) {
  if (!r.shape.cooperative || r.gpu.capability->atLeast(6, 0)) return "";
  return "cooperative launches need compute capability 6.0";
}

std::string checkCooperativeFits(const Request &r) {
  if (!r.shape.cooperative) return "";
  const int perSm = maxActiveBlocksPerMultiprocessor(r.gpu, r.kernel, threadsOf(r.shape), r.shape.dynamicShared);
  const uint64_t resident = static_cast<uint64_t>(perSm) * static_cast<uint64_t>(r.gpu.sms);
  if (volume(r.shape.grid) <= resident) return "";
  return "cooperative grid has " + number(volume(r.shape.grid)) + " blocks; " + number(resident) +
         " can be resident on " + std::string(r.gpu.name) + " (" + std::to_string(perSm) + " on each of " +
         std::to_string(r.gpu.sms) + " SMs)";
}

struct Rule {
  LaunchRule rule;
  cudaError_t error;
  std::string (*check)(const Request &);
};
constexpr Rule rules[] = {
#define HW_LAUNCH_RULE(name, error) {LaunchRule::name, error, check##name},
#include "device_model/launch_rules.def"
};

}  // namespace

std::optional<LaunchViolation> checkLaunch(const Gpu &gpu, const KernelResources &kernel, const LaunchShape &shape) {
  const Request request{gpu, kernel, shape};
  for (const Rule &rule : rules)
    if (std::string text = rule.check(request); !text.empty()) return LaunchViolation{rule.rule, rule.error, text};
  return std::nullopt;
}

}  // namespace hostwarp::device_model
