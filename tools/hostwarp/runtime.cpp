#include "tools/hostwarp/runtime.h"

#include <dlfcn.h>

#include "tools/hostwarp/commands.h"

namespace hostwarp::tool {
namespace {

template <typename Pointer>
void load(void *handle, const char *name, Pointer &pointer) {
  pointer = reinterpret_cast<Pointer>(dlsym(handle, name));
}

}  // namespace

std::string runtimePath() { return installationRoot() + "/lib/libcudart.so.13"; }

Runtime loadRuntime() {
  Runtime runtime;
  runtime.handle = dlopen(runtimePath().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (runtime.handle == nullptr) return runtime;
  load(runtime.handle, "cudaRuntimeGetVersion", runtime.version);
  load(runtime.handle, "cudaGetDeviceCount", runtime.deviceCount);
  load(runtime.handle, "cudaGetDeviceProperties", runtime.deviceProperties);
  load(runtime.handle, "hw_isa_level", runtime.isaLevel);
  return runtime;
}

std::string runtimeComplaint() {
  const char *reason = dlerror();
  return "the runtime library cannot be used: " + (reason ? std::string(reason) : runtimePath() + " is not hostwarp's");
}

}  // namespace hostwarp::tool
