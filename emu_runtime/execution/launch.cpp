#include "emu_runtime/execution/launch.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "emu_runtime/execution/grid_launch.h"
#include "emu_runtime/execution/hot_kernels.h"
#include "emu_runtime/execution/launch_hints.h"
#include "emu_runtime/graph/capture.h"
#include "emu_runtime/memory/freed_blocks.h"
#include "emu_runtime/module/registry.h"
#include "emu_runtime/order/host_watch.h"
#include "emu_runtime/order/stream_work.h"
#include "emu_runtime/support/options.h"
#include "fibers/recycled.h"

namespace hostwarp::execution {

namespace {

device_model::Extent extentOf(const dim3 &d) { return {d.x, d.y, d.z}; }

// requiredCluster() is the cluster that the kernel was compiled for or was given by its attributes; zeros are for the
// launch to choose.
dim3 requiredCluster(const modules::Kernel &kernel) {
  const unsigned(&compiled)[3] = kernel.code()->clusterDim;
  if (compiled[0]) return {compiled[0], std::max(1U, compiled[1]), std::max(1U, compiled[2])};
  return {static_cast<unsigned>(kernel.clusterWidth), static_cast<unsigned>(kernel.clusterHeight),
          static_cast<unsigned>(kernel.clusterDepth)};
}

bool differs(unsigned asked, unsigned required) { return required != 0 && asked != required; }

// shapeOf(): with __block_size__, or .reqntid in PTX, the block is the compiled one, which a launch repeats or leaves
// out. With the former the grid counts clusters.
Expected<device_model::LaunchShape> shapeOf(const modules::Kernel &kernel, const LaunchConfiguration &configuration) {
  const hw_kernel &code = *kernel.code();
  auto cluster = clusterOf(kernel, configuration.cluster);
  if (!cluster.ok()) return cluster.status();
  device_model::LaunchShape shape{extentOf(configuration.grid), extentOf(configuration.block),
                                  extentOf(cluster->value_or(dim3(1, 1, 1))), configuration.dynamicShared,
                                  configuration.cooperative};
  if (!code.blockDim[0]) return shape;
  const device_model::Extent compiled{code.blockDim[0], code.blockDim[1], code.blockDim[2]};
  if (shape.block != compiled && shape.block != device_model::Extent{1, 1, 1})
    return Status(cudaErrorInvalidValue, kernel.name() + " was compiled for blocks of another size");
  shape.block = compiled;
  if (!(code.flags & HW_KERNEL_GRID_OF_CLUSTERS)) return shape;
  for (size_t i = 0; i < shape.grid.size(); ++i)
    shape.grid[i] = static_cast<unsigned>(std::min<uint64_t>(uint64_t(shape.grid[i]) * code.clusterDim[i], UINT32_MAX));
  return shape;
}

unsigned residentBlocks(const device_model::Gpu &gpu, const device_model::KernelResources &resources,
                        const device_model::LaunchShape &shape) {
  const auto threads = static_cast<int>(shape.block[0] * shape.block[1] * shape.block[2]);
  const int perSm = device_model::maxActiveBlocksPerMultiprocessor(gpu, resources, threads, shape.dynamicShared);
  return static_cast<unsigned>(std::max(1, perSm * gpu.sms));
}

// Allowed is a launch that keeps the device's rules. The last one of a thread is likely to be like the next.
struct Allowed {
  const device::Device *device = nullptr;
  uint64_t context = 0;  // its number
  device_model::KernelResources resources;
  device_model::LaunchShape shape;
  unsigned residentBlocks = 0;
};

// checkedBlocks() is how many of the launch's blocks the device holds at a time, if it keeps the rules.
Expected<unsigned> checkedBlocks(const modules::Kernel &kernel, const device::Context &context,
                                 const device_model::LaunchShape &shape) {
  thread_local std::unique_ptr<Allowed> ofThread;  // threads have little room of their own
  if (ofThread == nullptr) ofThread = std::make_unique<Allowed>();
  Allowed &last = *ofThread;
  const device_model::KernelResources resources = resourcesOf(kernel);
  const bool isHere = last.device == &context.device() && last.context == context.number();
  if (isHere && last.shape == shape && last.resources == resources) return last.residentBlocks;
  if (auto violation = device_model::checkLaunch(context.model(), resources, shape))
    return Status(violation->error, kernel.name() + ": " + violation->text);
  last = {&context.device(), context.number(), resources, shape, residentBlocks(context.model(), resources, shape)};
  return last.residentBlocks;
}

bool launchesBlock() {
  static const bool blocking = [] {
    const char *value = std::getenv("CUDA_LAUNCH_BLOCKING");
    return value && std::string_view(value) != "0" && *value;
  }();
  return blocking;
}

// stackFor(): the user's limit counts a GPU's frames, which are smaller than this machine's; the kernel's own local
// arrays come on top, registers that it spills, room for the library functions it calls, and its parameters, which a
// GPU has elsewhere.
size_t stackFor(const hw_kernel &code, device::Context &context) {
  constexpr size_t libraryFrames = 12 * 1024;
  size_t parameters = 0;
  for (uint32_t i = 0; i < code.parameterCount; ++i) parameters += code.parameters[i].bytes;
  return 2 * context.limits().get(cudaLimitStackSize) + code.localBytes + code.spillBytes + parameters + libraryFrames;
}

// addEntries() chooses the forms of the kernel that the grid's blocks run in.
void addEntries(fibers::GridRequest &request, const modules::Kernel &kernel) {
  static const bool isShapeKnown = optionText(Option::FORM) != "any_block";
  request.entry = kernel.threadEntry().run.thread;
  const hw_entry *whole = kernel.blockEntry(isShapeKnown ? request.block : hw_dim3{});
  if (!whole) return;
  request.blockEntry = whole->run.block;
  request.frameBytes = whole->frameBytes;
}

fibers::GridRequest requestFor(const modules::Kernel &kernel, const device_model::LaunchShape &shape,
                               device::Context &context) {
  const hw_kernel &code = *kernel.code();
  auto dimensions = [](const device_model::Extent &e) { return hw_dim3{e[0], e[1], e[2]}; };
  fibers::GridRequest request;
  request.grid = dimensions(shape.grid);
  request.block = dimensions(shape.block);
  addEntries(request, kernel);
  request.cluster = dimensions(shape.cluster);
  request.staticSharedBytes = code.staticSharedBytes;
  request.dynamicSharedBytes = shape.dynamicShared;
  request.sharedAlignment = std::max<size_t>(16, code.sharedAlignment);
  request.deviceDelta = context.device().delta();
  request.stackBytes = stackFor(code, context);
  request.firstSm = static_cast<uint32_t>(context.firstSm());
  request.sharedGranularity = context.model().capability->sharedGranularity;
  request.smCount = static_cast<uint32_t>(context.model().sms);
  request.deviceSms = static_cast<uint32_t>(context.device().model().sms);
  request.cooperative = shape.cooperative;
  request.serialBlocks = kernel.serialBlocks();
  return request;
}

void enqueue(const device::StreamRef &target, const std::shared_ptr<GridLaunch> &launch, bool overlaps) {
  if (!overlaps) return target.enqueue(launch);
  auto prerequisites = std::make_shared<stream::Marker>(target.context->state());
  launch->overlap(prerequisites);
  target.context->streams().enqueueOverlapping(*target.stream, launch, prerequisites);
}

// checkPreferredCluster(): the preferred cluster is made of clusters of the size that is there in any case, and the
// grid could be made of preferred ones alone.
Status checkPreferredCluster(const modules::Kernel &kernel, const LaunchConfiguration &configuration) {
  if (!configuration.preferredCluster) return {};
  const dim3 &whole = *configuration.preferredCluster;
  auto part = clusterOf(kernel, configuration.cluster);
  if (!part.ok()) return part.status();
  if (!*part) return {cudaErrorInvalidClusterSize, "a launch with a preferred cluster needs a cluster as well"};
  if (!isMultiple(whole, **part))
    return {cudaErrorInvalidClusterSize, "the preferred cluster is no multiple of the launch's cluster"};
  if (!isMultiple(configuration.grid, whole))
    return {cudaErrorInvalidClusterSize, "the grid is no multiple of the preferred cluster"};
  return {};
}

// nodeOf() is the node that a captured launch becomes: with the attributes of the stream, then with its own.
Expected<graph::KernelParams> nodeOf(std::shared_ptr<modules::Kernel> kernel, const LaunchConfiguration &configuration,
                                     void *const *arguments, const stream::Stream &stream) {
  LaunchConfiguration captured = configuration;
  captured.hints.clear();
  if (const int priority = stream.priority(); priority && !captured.priority) captured.priority = priority;
  graph::KernelParams node = graph::KernelParams::of(std::move(kernel), captured, arguments);
  for (const auto &[id, value] : stream.attributes())
    if (isKernelHint(id)) HOSTWARP_TRY(node.setAttribute(id, value));
  for (const cudaLaunchAttribute &hint : configuration.hints) HOSTWARP_TRY(node.setAttribute(hint.id, hint.val));
  return node;
}

Status refuseUpdatable(const LaunchConfiguration &configuration) {
  for (const cudaLaunchAttribute &hint : configuration.hints)
    if (hint.id == cudaLaunchAttributeDeviceUpdatableKernelNode)
      return {cudaErrorNotSupported, "only a captured launch becomes a node that kernels can update"};
  return {};
}

// checkHere() fails where the stream belongs to another device than the current one: copies go there, kernels do not.
Status checkHere(const device::StreamRef &target) {
  auto current = device::currentDevice();
  if (!current.ok()) return current.status();
  if (*current == &target.context->device()) return {};
  return {cudaErrorInvalidResourceHandle, "the stream of a launch belongs to another device than the current one"};
}

}  // namespace

Expected<std::shared_ptr<modules::Kernel>> kernelOf(const void *hostFunction) {
  HOSTWARP_TRY(device::permitted());
  auto here = device::currentDevice();
  const int capability = here.ok() ? modules::capabilityOf((*here)->model()) : modules::Registry::anyCapability;
  auto kernel = modules::Registry::process().kernel(hostFunction, capability);
  if (!kernel) return hostFunction ? cudaErrorInvalidResourceHandle : cudaErrorInvalidDeviceFunction;
  if (!kernel->lacking().ok()) return kernel->lacking();
  if (!kernel->code())
    return Status(cudaErrorNoKernelImageForDevice,
                  "the program has no code for hostwarp in it that the device runs; compile and link it with hwcc, for "
                  "an architecture that is not above the device's or for none in particular");
  return kernel;
}

Expected<std::optional<dim3>> clusterOf(const modules::Kernel &kernel, const std::optional<dim3> &asked) {
  const dim3 required = requiredCluster(kernel);
  const dim3 cluster = asked && !isNoCluster(*asked) ? *asked : required;
  if (isImpossibleCluster(cluster))
    return Status(cudaErrorInvalidClusterSize, "a cluster has a width, a height and a depth");
  if (differs(cluster.x, required.x) || differs(cluster.y, required.y) || differs(cluster.z, required.z))
    return Status(cudaErrorInvalidClusterSize, kernel.name() +
                                                   " requires another cluster, by __cluster_dims__ or "
                                                   "cudaFuncAttributeRequiredClusterWidth and so on");
  return isNoCluster(cluster) ? std::optional<dim3>() : std::optional<dim3>(cluster);
}

device_model::KernelResources resourcesOf(const modules::Kernel &kernel) {
  const hw_kernel &code = *kernel.code();
  device_model::KernelResources resources;
  if (code.maxThreadsPerBlock) {
    resources.maxThreadsPerBlock =
        std::min(static_cast<int>(code.maxThreadsPerBlock), device_model::maxThreadsPerBlock);
  }
  // A compiler keeps to as many registers as a block of the largest allowed size can have.
  resources.registers = std::min(static_cast<int>(std::max(8U, code.registers)),
                                 device_model::mostRegistersPerThread(resources.maxThreadsPerBlock));
  resources.staticSharedBytes = code.staticSharedBytes;
  if (const int optin = kernel.maxDynamicSharedBytes; optin >= 0) {
    resources.dynamicSharedOptin = static_cast<size_t>(optin);
  }
  resources.carveoutPercent = kernel.preferredCarveout;
  resources.nonPortableClusters = kernel.nonPortableClusterSize != 0;
  return resources;
}

uint64_t nextGridId() {
  static std::atomic<uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

bool isNoCluster(const dim3 &cluster) { return !cluster.x && !cluster.y && !cluster.z; }

bool isMultiple(const dim3 &whole, const dim3 &part) {
  return whole.x % part.x == 0 && whole.y % part.y == 0 && whole.z % part.z == 0;
}

bool isImpossibleCluster(const dim3 &cluster) {
  return !isNoCluster(cluster) && (!cluster.x || !cluster.y || !cluster.z);
}

Expected<fibers::GridRequest> prepare(const modules::Kernel &kernel, const LaunchConfiguration &configuration,
                                      device::Context &context) {
  if ((kernel.code()->flags & HW_KERNEL_NEEDS_CLUSTER) &&
      (!configuration.cluster || isNoCluster(*configuration.cluster)))
    return Status(cudaErrorInvalidClusterSize, kernel.name() + " is launched with cudaLaunchAttributeClusterDimension");
  auto shape = shapeOf(kernel, configuration);
  if (!shape.ok()) return shape.status();
  HOSTWARP_TRY(checkPreferredCluster(kernel, configuration));
  const auto blocks = checkedBlocks(kernel, context, *shape);
  if (!blocks.ok()) return blocks.status();
  auto request = requestFor(kernel, *shape, context);
  request.residentBlocks = *blocks;
  if (!fibers::currentOwner()) specialiseNow(kernel, request.block);
  return request;
}

Status launch(const void *hostFunction, const LaunchConfiguration &configuration, void *const *arguments) {
  auto kernel = kernelOf(hostFunction);
  if (!kernel.ok()) return kernel.status();
  auto target = device::streamOf(configuration.stream, device::InCapture::Record);
  if (!target.ok()) return target.status();
  HOSTWARP_TRY(checkHere(*target));
  if (!arguments && (*kernel)->code()->parameterCount) return cudaErrorInvalidValue;
  if (graph::capturing(*target)) {
    const Status possible = prepare(**kernel, configuration, *target->context).status();
    if (!possible.ok()) return graph::refuseLaunch(*target, possible);
    auto node = nodeOf(*std::move(kernel), configuration, arguments, *target->stream);
    return node.ok() ? graph::capture(*target, *std::move(node)) : node.status();
  }

  if ((*kernel)->code()->flags & HW_KERNEL_LAUNCHES_GRAPHS) {
    return {cudaErrorNotSupported, (*kernel)->name() + " launches graphs, so that it can only be a node of one"};
  }
  device::Context &context = *target->context;
  auto request = prepare(**kernel, configuration, context);
  if (!request.ok()) return request.status();
  HOSTWARP_TRY(refuseUpdatable(configuration));
  request->priority = configuration.priority.value_or(target->stream->priority());
  auto span = profile::kernelSpan(*target, (*kernel)->name(), *request);
  const order::WorkRef work = order::workIn(*target);
  if (work) {
    const order::PartRef part = work->add("kernel " + (*kernel)->name());
    request->followed = part.get();
    order::HostWatch::process().launches(part);
  }
  memory::FreedBlocks::seal();
  auto operation = fibers::makeRecycled<GridLaunch>(target->context, *std::move(kernel), *request, arguments);
  operation->show(std::move(span));
  operation->setWork(work);
  enqueue(*target, operation, configuration.overlaps);
  if (!launchesBlock()) return {};
  operation->wait();
  order::hostLearns(operation->clock());
  return context.status();
}

}  // namespace hostwarp::execution
