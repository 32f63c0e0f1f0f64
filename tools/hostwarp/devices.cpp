#include <cstdio>

#include "device_model/gpu.h"
#include "gpu_backend/probe.h"
#include "tools/hostwarp/commands.h"

namespace hostwarp::tool {

int devices(Arguments arguments) {
  if (!arguments.empty()) return fail("devices takes no arguments");
  std::printf("%-12s %-34s %5s %4s %9s\n", "id", "name", "cc", "SMs", "memory");
  for (const device_model::Gpu &gpu : device_model::all()) {
    const bool isDefault = &gpu == &device_model::defaultGpu();
    std::printf("%-12s %-34s %3d.%d %4d %5.1f GiB%s\n", gpu.id.data(), gpu.name.data(), gpu.capability->major,
                gpu.capability->minor, gpu.sms, static_cast<double>(gpu.memoryBytes) / (1 << 30),
                isDefault ? "  (default)" : "");
  }
  for (const gpu_backend::Gpu &gpu : gpu_backend::probeMachine().gpus)
    std::printf("%-12s %-34s %3d.%d  in this machine (HOSTWARP_BACKEND=gpu)\n", "", gpu.name.c_str(),
                gpu.capability / 10, gpu.capability % 10);
  return 0;
}

}  // namespace hostwarp::tool
