#include "emu_runtime/execution/launch_hints.h"

#include <algorithm>

#include "device_model/properties.h"

namespace hostwarp::execution {

namespace {

using Value = cudaLaunchAttributeValue;
using device_model::Gpu;

bool isWindow(const Value &value, const Gpu &gpu) {
  const cudaAccessPolicyWindow &window = value.accessPolicyWindow;
  const auto most = static_cast<size_t>(device_model::properties(gpu).accessPolicyMaxWindowSize);
  const bool ratio = !(window.hitRatio < 0 || window.hitRatio > 1);  // what is no number is no wrong one
  return window.num_bytes <= most && ratio && window.missProp != cudaAccessPropertyPersisting;
}

bool isSynchronizationPolicy(const Value &value, const Gpu &) {
  return value.syncPolicy >= cudaSyncPolicyAuto && value.syncPolicy <= cudaSyncPolicyBlockingSync;
}

bool isSchedulingPolicy(const Value &value, const Gpu &) {
  return value.clusterSchedulingPolicyPreference >= cudaClusterSchedulingPolicyDefault &&
         value.clusterSchedulingPolicyPreference <= cudaClusterSchedulingPolicyLoadBalancing;
}

bool isDomainMap(const Value &value, const Gpu &gpu) {
  const int domains = device_model::attribute(gpu, cudaDevAttrMemSyncDomainCount).value_or(1);
  return value.memSyncDomainMap.default_ < domains && value.memSyncDomainMap.remote < domains;
}

bool isDomain(const Value &value, const Gpu &) {
  return value.memSyncDomain == cudaLaunchMemSyncDomainDefault || value.memSyncDomain == cudaLaunchMemSyncDomainRemote;
}

bool isPercentage(const Value &value, const Gpu &) { return value.sharedMemCarveout <= 100; }

bool isFlag(const Value &value, const Gpu &) { return value.nvlinkUtilCentricScheduling <= 1; }

struct Hint {
  cudaLaunchAttributeID id;
  bool ofStreams;
  bool ofKernels;
  bool (*accepts)(const Value &, const Gpu &);
  const char *values;
};

constexpr Hint hints[] = {
    {cudaLaunchAttributeAccessPolicyWindow, true, true, isWindow,
     "a window is at most as large as the device's limit, its ratio lies from 0 to 1, and its misses do not persist"},
    {cudaLaunchAttributeSynchronizationPolicy, true, false, isSynchronizationPolicy, "no such policy"},
    {cudaLaunchAttributeClusterSchedulingPolicyPreference, false, true, isSchedulingPolicy, "no such policy"},
    {cudaLaunchAttributeMemSyncDomainMap, true, true, isDomainMap, "the device has fewer domains"},
    {cudaLaunchAttributeMemSyncDomain, true, true, isDomain, "no such domain"},
    {cudaLaunchAttributePreferredSharedMemoryCarveout, false, true, isPercentage, "a carveout is 0 to 100 percent"},
    {cudaLaunchAttributeNvlinkUtilCentricScheduling, false, true, isFlag, "it is 0 or 1"},
};

const Hint *hintOf(cudaLaunchAttributeID id) {
  const Hint *found = std::find_if(std::begin(hints), std::end(hints), [&](const Hint &each) { return each.id == id; });
  return found == std::end(hints) ? nullptr : found;
}

}  // namespace

bool isKernelHint(cudaLaunchAttributeID id) {
  const Hint *hint = hintOf(id);
  return hint && hint->ofKernels;
}

bool isStreamHint(cudaLaunchAttributeID id) {
  const Hint *hint = hintOf(id);
  return hint && hint->ofStreams;
}

Status checkHint(cudaLaunchAttributeID id, const cudaLaunchAttributeValue &value, const device_model::Gpu &gpu) {
  const Hint *hint = hintOf(id);
  return hint->accepts(value, gpu) ? Status() : Status(cudaErrorInvalidValue, hint->values);
}

cudaLaunchAttributeValue unsetAttribute(cudaLaunchAttributeID id) {
  cudaLaunchAttributeValue value{};
  if (id == cudaLaunchAttributeMemSyncDomainMap) value.memSyncDomainMap.remote = 1;
  if (id == cudaLaunchAttributeSynchronizationPolicy) value.syncPolicy = static_cast<cudaSynchronizationPolicy>(-1);
  return value;
}

}  // namespace hostwarp::execution
