#include "gpu_backend/probe.h"

#include <dlfcn.h>

#include <algorithm>

#include "emu_runtime/support/options.h"
#include "include/cuda.h"

namespace hostwarp::gpu_backend {

namespace {

std::string listed(const std::vector<std::string> &folders) {
  std::string text;
  for (const std::string &folder : folders) text += (text.empty() ? "" : ", ") + folder;
  return text;
}

Status noDriver(const Search &search) {
  return {cudaErrorInsufficientDriver,
          "no driver: NVIDIA's libcuda.so.1 is in none of " + listed(search.folders) + "; the GPU's driver brings it"};
}

Status noRuntime(const Search &search) {
  const std::string other = search.ofOtherVersion.empty() ? "" : search.ofOtherVersion + " is of another version; ";
  return {cudaErrorSharedObjectInitFailed,
          "no runtime library: NVIDIA's libcudart.so.13 is in none of " + listed(search.folders) + "; " + other +
              "CUDA's toolkit 13 brings it, the package cuda-cudart-13-0, or pip install nvidia-cuda-runtime"};
}

// Driver is what is asked of it before it is trusted with the program.
class Driver {
 public:
  explicit Driver(void *handle) : handle_(handle) {}

  template <class... Arguments>
  CUresult call(const char *name, Arguments... arguments) const {
    const auto function = reinterpret_cast<CUresult (*)(Arguments...)>(dlsym(handle_, name));
    return function ? function(arguments...) : CUDA_ERROR_NOT_FOUND;
  }

  int attribute(CUdevice_attribute which, CUdevice device) const {
    int value = 0;
    return call("cuDeviceGetAttribute", &value, which, device) == CUDA_SUCCESS ? value : 0;
  }

  std::string errorName(CUresult result) const {
    const char *name = nullptr;
    call("cuGetErrorName", result, &name);
    return name ? name : std::to_string(result);
  }

 private:
  void *handle_;
};

Gpu gpuOf(const Driver &driver, int number) {
  CUdevice device = 0;
  char name[256] = "";
  if (driver.call("cuDeviceGet", &device, number) != CUDA_SUCCESS) return {};
  driver.call("cuDeviceGetName", &name[0], static_cast<int>(sizeof name), device);
  return {name, 10 * driver.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device) +
                    driver.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device)};
}

// askDriver() fills in what the driver says.
Status askDriver(Machine &machine) {
  machine.driverHandle = dlopen(machine.driver.file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!machine.driverHandle)
    return {cudaErrorInsufficientDriver, machine.driver.file + " cannot be loaded: " + dlerror()};
  const Driver driver(machine.driverHandle);
  if (const CUresult result = driver.call("cuInit", 0U); result != CUDA_SUCCESS)
    return {result == CUDA_ERROR_NO_DEVICE ? cudaErrorNoDevice : cudaErrorInitializationError,
            "the driver " + machine.driver.file + " finds no GPU that it may use: cuInit() says " +
                driver.errorName(result)};
  driver.call("cuDriverGetVersion", &machine.driverVersion);
  int count = 0;
  driver.call("cuDeviceGetCount", &count);
  for (int i = 0; i < count; ++i) machine.gpus.push_back(gpuOf(driver, i));
  if (machine.gpus.empty())
    return {cudaErrorNoDevice,
            "no GPU: the driver " + machine.driver.file + " has none (CUDA_VISIBLE_DEVICES may hide it)"};
  if (machine.driverVersion < runtimeVersion * 1000)
    return {cudaErrorInsufficientDriver,
            "the driver is too old: it is for CUDA " + std::to_string(machine.driverVersion / 1000) + "." +
                std::to_string(machine.driverVersion % 1000 / 10) + ", and programs are of 13.0"};
  return {};
}

Status look(Machine &machine) {
  machine.driver = findDriver();
  if (machine.driver.file.empty()) return noDriver(machine.driver);
  HOSTWARP_TRY(askDriver(machine));
  machine.runtime = findRuntime();
  return machine.runtime.file.empty() ? noRuntime(machine.runtime) : Status();
}

}  // namespace

const Machine &probeMachine() {
  // Never destroyed: calls come until the process ends.
  static const Machine *const machine = [] {
    auto *made = new Machine;
    made->problem = look(*made);
    return made;
  }();
  return *machine;
}

const char *settingOfCpu() {
  if (!optionText(Option::BUILD).empty()) return "HOSTWARP_BUILD";
  if (!optionText(Option::DEVICES).empty()) return "HOSTWARP_DEVICES";
  if (!optionText(Option::SCHEDULE).empty()) return "HOSTWARP_SCHEDULE";
  if (optionText(Option::FORM) != "auto") return "HOSTWARP_FORM";
  return optionInteger(Option::SEED) != 0 ? "HOSTWARP_SEED" : nullptr;
}

}  // namespace hostwarp::gpu_backend
