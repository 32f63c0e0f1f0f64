// Modules: device code loaded into the current context.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "emu_runtime/device/current.h"
#include "emu_runtime/driver/driver.h"
#include "emu_runtime/driver/modules.h"
#include "emu_runtime/module/image_bytes.h"

namespace hostwarp::driver_api {

namespace {

using ModuleTable = device::HandleTable<CUmodule, LoadedModule>;

constexpr int newestJitOption = CU_JIT_NUM_OPTIONS - 1;

ModuleTable &moduleTable() {
  static auto *table = new ModuleTable;
  return *table;
}

// addModule() loads the image into the current context and gives it a handle.
Expected<CUmodule> addModule(std::string_view content) {
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  auto loaded = modules::LoadedImage::load(content, modules::capabilityOf((*context)->device().model()));
  if (!loaded.ok()) return loaded.status();
  return moduleTable().add({*std::move(loaded), *context});
}

Status loadModule(CUmodule *module, std::string_view content) {
  auto added = addModule(content);
  if (!added.ok()) return added.status();
  *module = *added;
  return {};
}

}  // namespace

Expected<CUmodule> moduleFor(const std::shared_ptr<modules::LoadedImage> &image) {
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  auto known = moduleTable().findIf(
      [&](const LoadedModule &module) { return module.image == image && module.context == *context; });
  return known ? *known : moduleTable().add({image, *context});
}

void forgetModules(const std::shared_ptr<modules::LoadedImage> &image) {
  moduleTable().removeIf([&](const LoadedModule &module) { return module.image == image; });
}

Expected<LoadedModule> moduleOf(CUmodule handle) {
  auto found = moduleTable().find(handle);
  if (!found) return cudaErrorInvalidResourceHandle;
  return *std::move(found);
}

CUmodule moduleWith(const void *function) {
  return moduleTable()
      .findIf([&](const LoadedModule &module) {
        return std::ranges::find(module.image->kernels(), function) != module.image->kernels().end();
      })
      .value_or(nullptr);
}

Expected<std::string> readImageFile(const char *path) {
  if (!path) return cudaErrorInvalidValue;
  std::ifstream file(path, std::ios::binary);
  if (!file) return Status(cudaErrorFileNotFound, std::string("cannot read ") + path);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

void **JitLog::value(CUjit_option wanted) const {
  for (size_t i = 0; i < options_.size(); ++i) {
    if (options_[i] == wanted) return &values_[i];
  }
  return nullptr;
}

unsigned JitLog::number(CUjit_option wanted) const {
  void **given = value(wanted);
  return given ? static_cast<unsigned>(reinterpret_cast<uintptr_t>(*given)) : 0;
}

void JitLog::write(CUjit_option buffer, CUjit_option size, const std::string &text) const {
  void **bytes = value(size);
  if (!bytes) return;
  const size_t room = reinterpret_cast<uintptr_t>(*bytes);
  const size_t written = room ? std::min(room - 1, text.size()) : 0;
  if (void **start = value(buffer); start && *start && room) {
    std::memcpy(*start, text.data(), written);
    static_cast<char *>(*start)[written] = '\0';
  }
  *bytes = reinterpret_cast<void *>(written);  // NOLINT(performance-no-int-to-ptr)
}

Status JitLog::finish(const Status &status) const {
  write(CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, "");
  write(CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, status.message());
  if (void **time = value(CU_JIT_WALL_TIME)) {
    const std::chrono::duration<float, std::milli> taken = std::chrono::steady_clock::now() - begin_;
    *time = reinterpret_cast<void *>(uintptr_t{std::bit_cast<uint32_t>(taken.count())});  // NOLINT(performance-no-int-to-ptr)
  }
  return status;
}

Status cuModuleLoad(CUmodule *module, const char *fname) {
  if (!module) return cudaErrorInvalidValue;
  auto bytes = readImageFile(fname);
  if (!bytes.ok()) return bytes.status();
  return loadModule(module, *bytes);
}

Status cuModuleLoadData(CUmodule *module, const void *image) {
  if (!module || !image) return cudaErrorInvalidValue;
  auto content = modules::contentAt(image);
  return content.ok() ? loadModule(module, *content) : content.status();
}

Status cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned numOptions, CUjit_option *options,
                          void **optionValues) {
  if (numOptions && (!options || !optionValues)) return cudaErrorInvalidValue;
  const bool known =
      std::all_of(options, options + numOptions, [](int option) { return 0 <= option && option <= newestJitOption; });
  if (!known) return {cudaErrorInvalidValue, "an option that is not one of CUjit_option"};
  const JitLog log(numOptions, options, optionValues);
  return log.finish(driver_api::cuModuleLoadData(module, image));
}

Status cuModuleLoadFatBinary(CUmodule *module, const void *fatCubin) {
  return driver_api::cuModuleLoadData(module, fatCubin);
}

Status cuModuleUnload(CUmodule hmod) {
  auto taken = moduleTable().take(hmod);
  if (!taken) return cudaErrorInvalidResourceHandle;
  taken->context->streams().waitAll();
  return {};
}

Status cuModuleGetLoadingMode(CUmoduleLoadingMode *mode) {
  if (!mode) return cudaErrorInvalidValue;
  const char *wish = std::getenv("CUDA_MODULE_LOADING");
  *mode = wish && std::string_view(wish) == "EAGER" ? CU_MODULE_EAGER_LOADING : CU_MODULE_LAZY_LOADING;
  return {};
}

Status cuModuleGetFunction(CUfunction *hfunc, CUmodule hmod, const char *name) {
  if (!hfunc || !name) return cudaErrorInvalidValue;
  auto module = moduleOf(hmod);
  if (!module.ok()) return module.status();
  const hw_kernel *kernel = module->image->kernel(name);
  if (!kernel) return cudaErrorSymbolNotFound;
  *hfunc = reinterpret_cast<CUfunction>(const_cast<hw_kernel *>(kernel));
  return {};
}

Status cuModuleGetFunctionCount(unsigned *count, CUmodule mod) {
  if (!count) return cudaErrorInvalidValue;
  auto module = moduleOf(mod);
  if (!module.ok()) return module.status();
  *count = static_cast<unsigned>(module->image->kernels().size());
  return {};
}

Status cuModuleEnumerateFunctions(CUfunction *functions, unsigned numFunctions, CUmodule mod) {
  if (!functions) return cudaErrorInvalidValue;
  auto module = moduleOf(mod);
  if (!module.ok()) return module.status();
  const auto &kernels = module->image->kernels();
  for (size_t i = 0; i < std::min<size_t>(numFunctions, kernels.size()); ++i) {
    functions[i] = reinterpret_cast<CUfunction>(const_cast<hw_kernel *>(kernels[i]));
  }
  return {};
}

Status cuModuleGetGlobal_v2(CUdeviceptr *dptr, size_t *bytes, CUmodule hmod, const char *name) {
  if (!name || (!dptr && !bytes)) return cudaErrorInvalidValue;
  auto module = moduleOf(hmod);
  if (!module.ok()) return module.status();
  const hw_variable *variable = module->image->variable(name);
  if (!variable) return module->image->kernel(name) ? cudaErrorInvalidValue : cudaErrorSymbolNotFound;
  const modules::Variable place{nullptr, variable};
  if (dptr) *dptr = reinterpret_cast<CUdeviceptr>(place.address(module->context->device().delta()));
  if (bytes) *bytes = variable->bytes;
  return {};
}

}  // namespace hostwarp::driver_api
