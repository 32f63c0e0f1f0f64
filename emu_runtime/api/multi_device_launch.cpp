// cudaLaunchCooperativeKernelMultiDevice: the launch of one kernel on several devices at a time.
#include <algorithm>
#include <vector>

#include "emu_runtime/api/api.h"
#include "emu_runtime/device/current.h"
#include "emu_runtime/execution/launch.h"
#include "emu_runtime/stream/operation.h"

namespace hostwarp::api {

namespace {

bool same(const dim3 &a, const dim3 &b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// alike() tells that two launches differ in nothing but their device and arguments.
bool alike(const cudaLaunchParams &a, const cudaLaunchParams &b) {
  return a.func == b.func && same(a.gridDim, b.gridDim) && same(a.blockDim, b.blockDim) && a.sharedMem == b.sharedMem;
}

// streamsOf() resolves the streams, one on each device and none of them a default stream.
Expected<std::vector<device::StreamRef>> streamsOf(const cudaLaunchParams *list, unsigned count) {
  std::vector<device::StreamRef> streams;
  for (unsigned i = 0; i < count; ++i) {
    if (!device::streamTable().find(list[i].stream)) return cudaErrorInvalidResourceHandle;
    auto stream = device::streamOf(list[i].stream);
    if (!stream.ok()) return stream.status();
    const bool known = std::any_of(streams.begin(), streams.end(), [&](const device::StreamRef &other) {
      return &other.context->device() == &stream->context->device();
    });
    if (known) return Status(cudaErrorInvalidDevice, "a launch on several devices has one entry for each");
    streams.push_back(*std::move(stream));
  }
  return streams;
}

// CurrentDevice makes a stream's device the calling thread's while it exists.
class CurrentDevice {
 public:
  explicit CurrentDevice(const device::StreamRef &stream) : before_(device::boundContext()) {
    device::bindContext(device::primaryHandle(stream.context->device()));
  }
  ~CurrentDevice() { device::bindContext(before_); }
  CurrentDevice(const CurrentDevice &) = delete;
  CurrentDevice &operator=(const CurrentDevice &) = delete;

 private:
  const CUcontext before_;
};

// meet() makes what comes next in any of the streams wait for what all of them hold.
void meet(const std::vector<device::StreamRef> &streams) {
  std::vector<stream::OperationRef> before;
  for (const device::StreamRef &each : streams)
    for (stream::OperationRef &pending : each.context->streams().pendingOf(*each.stream))
      before.push_back(std::move(pending));
  for (const device::StreamRef &each : streams)
    each.context->streams().enqueue(*each.stream, std::make_shared<stream::Marker>(each.context->state()), before);
}

}  // namespace

Status cudaLaunchCooperativeKernelMultiDevice(cudaLaunchParams *launchParamsList, unsigned numDevices, unsigned flags) {
  constexpr unsigned known = cudaCooperativeLaunchMultiDeviceNoPreSync | cudaCooperativeLaunchMultiDeviceNoPostSync;
  if (!launchParamsList || numDevices == 0 || numDevices > device::devices().size() || (flags & ~known))
    return cudaErrorInvalidValue;
  const auto *list = launchParamsList;
  if (!std::all_of(list, list + numDevices, [&](const cudaLaunchParams &each) { return alike(each, *list); }))
    return Status(cudaErrorInvalidValue, "a launch on several devices has one kernel and one configuration");
  auto streams = streamsOf(list, numDevices);
  if (!streams.ok()) return streams.status();
  if (!(flags & cudaCooperativeLaunchMultiDeviceNoPreSync)) meet(*streams);
  for (unsigned i = 0; i < numDevices; ++i) {
    const CurrentDevice here((*streams)[i]);
    HOSTWARP_TRY(api::cudaLaunchCooperativeKernel(list[i].func, list[i].gridDim, list[i].blockDim, list[i].args,
                                                  list[i].sharedMem, list[i].stream));
  }
  if (!(flags & cudaCooperativeLaunchMultiDeviceNoPostSync)) meet(*streams);
  return {};
}

}  // namespace hostwarp::api
