#include "emu_runtime/device/sm_resources.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>

namespace hostwarp::device {

namespace {

// Grain is the least number of SMs in a part, and what the number is a multiple of.
struct Grain {
  int least;
  int step;
};

Grain grainOf(const device_model::Gpu &gpu, bool together = true) {
  const int major = gpu.capability->major;
  if (major >= 9) return together ? Grain{8, 8} : Grain{2, 2};
  if (major == 8) return {4, 2};
  return major == 7 ? Grain{2, 2} : Grain{1, 1};
}

const device_model::Gpu &gpuOf(const SmPart &part) { return (*find(part.device))->model(); }

cudaDevResource resourceOf(const SmPart &part) {
  cudaDevResource resource{};
  if (part.count <= 0) return resource;
  const Grain grain = grainOf(gpuOf(part));
  resource.type = cudaDevResourceTypeSm;
  resource.sm.smCount = static_cast<unsigned>(part.count);
  resource.sm.minSmPartitionSize = static_cast<unsigned>(grain.least);
  resource.sm.smCoscheduledAlignment = static_cast<unsigned>(part.split ? part.coscheduled : grain.step);
  static_assert(sizeof part <= sizeof resource._internal_padding);
  std::memcpy(resource._internal_padding, &part, sizeof part);
  return resource;
}

Expected<SmPart> partOf(const cudaDevResource &resource) {
  if (resource.type != cudaDevResourceTypeSm) return cudaErrorInvalidResourceType;
  SmPart part;
  std::memcpy(&part, resource._internal_padding, sizeof part);
  auto device = find(part.device);
  const bool sound = device.ok() && part.first >= 0 && part.count > 0 && part.end() <= (*device)->model().sms &&
                     part.count == static_cast<int>(resource.sm.smCount);
  if (!sound) return Status(cudaErrorInvalidResourceConfiguration, "the resource is not one that CUDA gave");
  return part;
}

Expected<SmPart> wholeOf(const cudaDevResource *input) {
  if (!input) return cudaErrorInvalidValue;
  auto part = partOf(*input);
  if (part.ok() && part->split)
    return Status(cudaErrorInvalidResourceConfiguration,
                  "what a split gave is not split again: make a context of it and split what that has");
  return part;
}

uint64_t nextSplit() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

unsigned mostQueues() {
  const char *value = std::getenv("CUDA_DEVICE_MAX_CONNECTIONS");
  const int wanted = value ? std::atoi(value) : 0;
  return wanted > 0 ? static_cast<unsigned>(std::min(wanted, 32)) : 8;
}

// Group is one of a split(): what it wants, and how many SMs it has got.
struct Group {
  int count, coscheduled, preferred;
  bool discovers, fills;
};

Expected<Group> groupOf(const cudaDevSmResourceGroupParams &params, const SmPart &whole) {
  const device_model::Gpu &gpu = gpuOf(whole);
  const unsigned most = gpu.capability->major >= 9 ? 32 : 2;
  const auto usual = static_cast<unsigned>(std::max(2, grainOf(gpu).step));
  const unsigned coscheduled = params.coscheduledSmCount ? params.coscheduledSmCount : usual;
  const unsigned preferred = params.preferredCoscheduledSmCount ? params.preferredCoscheduledSmCount : coscheduled;
  const bool fills = params.flags == cudaDevSmResourceGroupBackfill;
  const auto refused = [](const std::string &why) { return Status(cudaErrorInvalidResourceConfiguration, why); };
  if (params.flags > cudaDevSmResourceGroupBackfill) return cudaErrorInvalidValue;
  if (coscheduled % 2 || coscheduled > most)
    return refused("coscheduledSmCount is even and at most " + std::to_string(most));
  if (preferred % coscheduled) return refused("preferredCoscheduledSmCount is a multiple of coscheduledSmCount");
  if (params.smCount % 2 || params.smCount > static_cast<unsigned>(whole.count))
    return refused("smCount is even and at most the input's " + std::to_string(whole.count));
  if (params.smCount && (fills ? params.smCount < coscheduled : params.smCount % coscheduled != 0))
    return refused("smCount is a multiple of coscheduledSmCount, or not less with cudaDevSmResourceGroupBackfill");
  return Group{static_cast<int>(params.smCount), static_cast<int>(coscheduled), static_cast<int>(preferred),
               params.smCount == 0, fills};
}

// discover() is as many SMs as the group can have of those that are left.
int discover(const Group &group, int left) {
  const int count = left - left % (group.fills ? 2 : group.coscheduled);
  return count < group.coscheduled ? 0 : count;
}

// checkTogether() is the rule for several parts: only what remained of the split may differ.
Status checkTogether(const std::vector<SmPart> &parts) {
  for (const SmPart &part : parts) {
    const bool alike = part.split == parts[0].split &&
                       (part.coscheduled == parts[0].coscheduled || part.coscheduled == 0 || parts[0].coscheduled == 0);
    if (!alike) return {cudaErrorInvalidResourceConfiguration, "the SMs come from different splits"};
  }
  return {};
}

Status addQueues(Resources &resources, const cudaDevResource &resource) {
  if (resources.queues) return {cudaErrorInvalidResourceConfiguration, "a context has one resource of queues"};
  QueueConfig config = resource.wqConfig;
  if (resource.type == cudaDevResourceTypeWorkqueue) {
    config = {0, mostQueues(), cudaDevWorkqueueConfigScopeDeviceCtx};
    std::memcpy(&config.device, resource.wq.reserved, sizeof config.device);
  }
  if (!find(config.device).ok()) return cudaErrorInvalidResourceConfiguration;
  resources.queues = config;
  return {};
}

}  // namespace

SmPart Resources::whole() const {
  SmPart whole = parts.front();
  int end = whole.end();
  for (const SmPart &part : parts) {
    whole.first = std::min(whole.first, part.first);
    end = std::max(end, part.end());
  }
  whole.count = end - whole.first;
  whole.split = 0;
  return whole;
}

Resources resourcesOf(const Device &device) {
  return {{{device.ordinal(), 0, device.model().sms, grainOf(device.model()).step, 0}}, std::nullopt};
}

Status giveResource(cudaDevResource *resource, cudaDevResourceType type, const Resources &resources) {
  if (!resource) return cudaErrorInvalidValue;
  const SmPart whole = resources.whole();
  cudaDevResource given{};
  given.type = type;
  switch (type) {
    case cudaDevResourceTypeSm:
      given = resourceOf(whole);
      break;
    case cudaDevResourceTypeWorkqueueConfig:
      given.wqConfig =
          resources.queues.value_or(QueueConfig{whole.device, mostQueues(), cudaDevWorkqueueConfigScopeDeviceCtx});
      break;
    case cudaDevResourceTypeWorkqueue:
      std::memcpy(given.wq.reserved, &whole.device, sizeof whole.device);
      break;
    default:
      return cudaErrorInvalidResourceType;
  }
  *resource = given;
  return {};
}

Status splitByCount(cudaDevResource *result, unsigned *groups, const cudaDevResource *input, cudaDevResource *remaining,
                    unsigned flags, unsigned minCount) {
  const bool ignores = flags & cudaDevSmResourceSplitIgnoreSmCoscheduling;
  if (!groups || (ignores && flags & cudaDevSmResourceSplitMaxPotentialClusterSize) || (result && *groups == 0))
    return cudaErrorInvalidValue;
  auto whole = wholeOf(input);
  if (!whole.ok()) return whole.status();
  const Grain grain = grainOf(gpuOf(*whole), !ignores);
  if (minCount > static_cast<unsigned>(whole->count)) return cudaErrorInvalidResourceConfiguration;
  const int wanted = std::max(static_cast<int>(minCount), grain.least);
  const int each = std::min((wanted + grain.step - 1) / grain.step * grain.step, whole->count);
  const auto possible = static_cast<unsigned>(whole->count / each);
  if (!result) {
    *groups = possible;
    return {};
  }
  *groups = std::min(*groups, possible);
  SmPart next{whole->device, whole->first, each, grain.step, nextSplit()};
  for (unsigned i = 0; i < *groups; ++i, next.first += each) result[i] = resourceOf(next);
  if (remaining) *remaining = resourceOf({whole->device, next.first, whole->end() - next.first, 0, next.split});
  return {};
}

Status split(cudaDevResource *result, const cudaDevResource *input, cudaDevResource *remainder,
             std::span<cudaDevSmResourceGroupParams> params) {
  auto whole = wholeOf(input);
  if (!whole.ok()) return whole.status();
  if (params.size() > static_cast<size_t>(whole->count)) return cudaErrorInvalidResourceConfiguration;
  std::vector<Group> groups;
  int left = whole->count;
  for (const cudaDevSmResourceGroupParams &each : params) {
    auto group = groupOf(each, *whole);
    if (!group.ok()) return group.status();
    if (group->discovers) group->count = discover(*group, left);
    if (group->count > left || (result && group->count == 0))
      return {cudaErrorInvalidResourceConfiguration,
              "group " + std::to_string(groups.size()) + " wants more SMs than the " + std::to_string(left) + " left"};
    left -= group->count;
    groups.push_back(*group);
  }
  SmPart next{whole->device, whole->first, 0, 0, nextSplit()};
  for (size_t i = 0; i < groups.size(); ++i) {
    next.count = groups[i].count;
    next.coscheduled = groups[i].coscheduled;
    params[i].smCount = static_cast<unsigned>(next.count);
    params[i].coscheduledSmCount = static_cast<unsigned>(next.coscheduled);
    params[i].preferredCoscheduledSmCount = static_cast<unsigned>(groups[i].preferred);
    if (result) {
      result[i] = resourceOf(next);
      result[i].sm.flags = params[i].flags;
    }
    next.first = next.end();
  }
  if (remainder) *remainder = resourceOf({whole->device, next.first, left, 0, next.split});
  return {};
}

Expected<Resources> describe(std::span<const cudaDevResource> resources, bool oneSplit) {
  Resources described;
  for (const cudaDevResource &resource : resources) {
    if (resource.type == cudaDevResourceTypeWorkqueueConfig || resource.type == cudaDevResourceTypeWorkqueue) {
      HOSTWARP_TRY(addQueues(described, resource));
      continue;
    }
    auto part = partOf(resource);
    if (!part.ok()) return part.status();
    described.parts.push_back(*part);
  }
  if (oneSplit) HOSTWARP_TRY(checkTogether(described.parts));
  const auto isElsewhere = [&](const SmPart &part) { return part.device != described.parts[0].device; };
  const bool queuesElsewhere =
      described.queues && !described.parts.empty() && described.queues->device != described.parts[0].device;
  if (queuesElsewhere || std::ranges::any_of(described.parts, isElsewhere))
    return Status(cudaErrorInvalidResourceConfiguration, "the resources are of several devices");
  if (described.parts.empty()) described.parts = resourcesOf(**find(described.queues->device)).parts;
  return described;
}

}  // namespace hostwarp::device
