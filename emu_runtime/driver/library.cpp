// Libraries: device code that belongs to no context. Here one loading serves all devices, and so a library is a module
// whose variables are looked for on the current device.
#include <cstring>

#include "emu_runtime/device/current.h"
#include "emu_runtime/driver/driver.h"
#include "emu_runtime/driver/modules.h"
#include "emu_runtime/module/image_bytes.h"

namespace hostwarp::driver_api {

namespace {

using ImageRef = std::shared_ptr<modules::LoadedImage>;
using LibraryTable = device::HandleTable<CUlibrary, ImageRef>;

LibraryTable &libraryTable() {
  static auto *table = new LibraryTable;
  return *table;
}

Expected<ImageRef> imageOf(CUlibrary handle) {
  auto found = libraryTable().find(handle);
  if (!found) return cudaErrorInvalidResourceHandle;
  return *std::move(found);
}

template <typename Handle>
Handle handleOf(const hw_kernel *kernel) {
  return reinterpret_cast<Handle>(const_cast<hw_kernel *>(kernel));
}

Status loadLibrary(CUlibrary *library, Expected<std::string> content) {
  if (!content.ok()) return content.status();
  auto here = device::currentDevice();
  if (!here.ok()) return here.status();
  auto loaded = modules::LoadedImage::load(*content, modules::capabilityOf((*here)->model()));
  if (!loaded.ok()) return loaded.status();
  *library = libraryTable().add(*std::move(loaded));
  return {};
}

Status findVariable(void **start, size_t *bytes, CUlibrary library, const char *name, bool managed) {
  if (!name || (!start && !bytes)) return cudaErrorInvalidValue;
  auto image = imageOf(library);
  if (!image.ok()) return image.status();
  const hw_variable *variable = (*image)->variable(name);
  if (!variable || (managed && variable->kind != HW_VARIABLE_MANAGED)) return cudaErrorSymbolNotFound;
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  if (start) *start = modules::Variable{nullptr, variable}.address((*context)->device().delta());
  if (bytes) *bytes = variable->bytes;
  return {};
}

}  // namespace

Status cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *jitOptions, void **jitOptionsValues,
                         unsigned numJitOptions, CUlibraryOption *, void **, unsigned) {
  if (!library || !code || (numJitOptions && (!jitOptions || !jitOptionsValues))) return cudaErrorInvalidValue;
  return JitLog(numJitOptions, jitOptions, jitOptionsValues).finish(loadLibrary(library, modules::contentAt(code)));
}

Status cuLibraryLoadFromFile(CUlibrary *library, const char *fileName, CUjit_option *jitOptions,
                             void **jitOptionsValues, unsigned numJitOptions, CUlibraryOption *, void **, unsigned) {
  auto content = readImageFile(fileName);
  if (!content.ok()) return content.status();
  if (!library || (numJitOptions && (!jitOptions || !jitOptionsValues))) return cudaErrorInvalidValue;
  return JitLog(numJitOptions, jitOptions, jitOptionsValues).finish(loadLibrary(library, std::move(content)));
}

Status cuLibraryUnload(CUlibrary library) {
  auto taken = libraryTable().take(library);
  if (!taken) return cudaErrorInvalidResourceHandle;
  for (const auto &device : device::devices()) {
    if (device->active()) device->context()->streams().waitAll();
  }
  if (device::ContextRef context = device::activeContext()) context->streams().waitAll();
  forgetModules(*taken);
  return {};
}

Status cuLibraryGetKernel(CUkernel *pKernel, CUlibrary library, const char *name) {
  if (!pKernel || !name) return cudaErrorInvalidValue;
  auto image = imageOf(library);
  if (!image.ok()) return image.status();
  const hw_kernel *kernel = (*image)->kernel(name);
  if (!kernel) return cudaErrorSymbolNotFound;
  *pKernel = handleOf<CUkernel>(kernel);
  return {};
}

Status cuLibraryGetKernelCount(unsigned *count, CUlibrary lib) {
  if (!count) return cudaErrorInvalidValue;
  auto image = imageOf(lib);
  if (!image.ok()) return image.status();
  *count = static_cast<unsigned>((*image)->kernels().size());
  return {};
}

Status cuLibraryEnumerateKernels(CUkernel *kernels, unsigned numKernels, CUlibrary lib) {
  if (!kernels || !numKernels) return cudaErrorInvalidValue;
  auto image = imageOf(lib);
  if (!image.ok()) return image.status();
  const auto &all = (*image)->kernels();
  for (size_t i = 0; i < numKernels && i < all.size(); ++i) kernels[i] = handleOf<CUkernel>(all[i]);
  return {};
}

Status cuLibraryGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUlibrary library, const char *name) {
  return findVariable(at(dptr), bytes, library, name, false);
}

Status cuLibraryGetManaged(CUdeviceptr *dptr, size_t *bytes, CUlibrary library, const char *name) {
  return findVariable(at(dptr), bytes, library, name, true);
}

// Unified functions are callable by the host and the device at one address, which no device here offers
// (CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS).
Status cuLibraryGetUnifiedFunction(void **fptr, CUlibrary library, const char *symbol) {
  if (!fptr || !symbol) return cudaErrorInvalidValue;
  auto image = imageOf(library);
  if (!image.ok()) return image.status();
  return (*image)->kernel(symbol) ? cudaErrorInvalidValue : cudaErrorSymbolNotFound;
}

// A kernel is the same thing with and without a context.
Status cuKernelGetFunction(CUfunction *pFunc, CUkernel kernel) {
  if (!pFunc) return cudaErrorInvalidValue;
  const char *name = nullptr;
  HOSTWARP_TRY(api::cudaFuncGetName(&name, kernel));
  *pFunc = reinterpret_cast<CUfunction>(kernel);
  return {};
}

Status cuLibraryGetModule(CUmodule *pMod, CUlibrary library) {
  if (!pMod) return cudaErrorInvalidValue;
  auto image = imageOf(library);
  if (!image.ok()) return image.status();
  auto module = moduleFor(*image);
  if (!module.ok()) return module.status();
  *pMod = *module;
  return {};
}

Status cuKernelGetLibrary(CUlibrary *pLib, CUkernel kernel) {
  if (!pLib) return cudaErrorInvalidValue;
  auto found = libraryTable().findIf([&](const ImageRef &image) {
    for (const hw_kernel *each : image->kernels()) {
      if (handleOf<CUkernel>(each) == kernel) return true;
    }
    return false;
  });
  if (!found) return cudaErrorInvalidResourceHandle;
  *pLib = *found;
  return {};
}

Status cuKernelGetAttribute(int *pi, CUfunction_attribute attrib, CUkernel kernel, CUdevice dev) {
  if (auto found = device::find(dev); !found.ok()) return found.status();
  return driver_api::cuFuncGetAttribute(pi, attrib, reinterpret_cast<CUfunction>(kernel));
}

Status cuKernelSetAttribute(CUfunction_attribute attrib, int val, CUkernel kernel, CUdevice dev) {
  if (auto found = device::find(dev); !found.ok()) return found.status();
  return driver_api::cuFuncSetAttribute(reinterpret_cast<CUfunction>(kernel), attrib, val);
}

Status cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice) {
  return driver_api::cuFuncSetCacheConfig(reinterpret_cast<CUfunction>(kernel), config);
}

Status cuKernelGetName(const char **name, CUkernel hfunc) { return api::cudaFuncGetName(name, hfunc); }

Status cuKernelGetParamInfo(CUkernel kernel, size_t paramIndex, size_t *paramOffset, size_t *paramSize) {
  return api::cudaFuncGetParamInfo(kernel, paramIndex, paramOffset, paramSize);
}

}  // namespace hostwarp::driver_api

namespace hostwarp::api {

namespace {

CUjit_option *driverOptions(cudaJitOption *options) { return reinterpret_cast<CUjit_option *>(options); }

}  // namespace

Status cudaLibraryLoadData(cudaLibrary_t *library, const void *code, cudaJitOption *jitOptions, void **jitOptionsValues,
                           unsigned numJitOptions, cudaLibraryOption *, void **, unsigned) {
  return driver_api::cuLibraryLoadData(library, code, driverOptions(jitOptions), jitOptionsValues, numJitOptions,
                                       nullptr, nullptr, 0);
}

Status cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *fileName, cudaJitOption *jitOptions,
                               void **jitOptionsValues, unsigned numJitOptions, cudaLibraryOption *, void **,
                               unsigned) {
  return driver_api::cuLibraryLoadFromFile(library, fileName, driverOptions(jitOptions), jitOptionsValues,
                                           numJitOptions, nullptr, nullptr, 0);
}

Status cudaLibraryUnload(cudaLibrary_t library) { return driver_api::cuLibraryUnload(library); }

Status cudaLibraryGetKernel(cudaKernel_t *pKernel, cudaLibrary_t library, const char *name) {
  return driver_api::cuLibraryGetKernel(pKernel, library, name);
}

Status cudaLibraryGetGlobal(void **dptr, size_t *bytes, cudaLibrary_t library, const char *name) {
  return driver_api::findVariable(dptr, bytes, library, name, false);
}

Status cudaLibraryGetUnifiedFunction(void **fptr, cudaLibrary_t library, const char *symbol) {
  return driver_api::cuLibraryGetUnifiedFunction(fptr, library, symbol);
}

Status cudaLibraryGetManaged(void **dptr, size_t *bytes, cudaLibrary_t library, const char *name) {
  return driver_api::findVariable(dptr, bytes, library, name, true);
}

Status cudaLibraryGetKernelCount(unsigned *count, cudaLibrary_t lib) {
  return driver_api::cuLibraryGetKernelCount(count, lib);
}

Status cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned numKernels, cudaLibrary_t lib) {
  return driver_api::cuLibraryEnumerateKernels(kernels, numKernels, lib);
}

// What stands for a kernel of the program stands for it as a CUfunction and CUkernel too.
Status cudaGetFuncBySymbol(cudaFunction_t *functionPtr, const void *symbolPtr) {
  if (!functionPtr) return cudaErrorInvalidValue;
  const char *name = nullptr;
  HOSTWARP_TRY(api::cudaFuncGetName(&name, symbolPtr));
  *functionPtr = static_cast<cudaFunction_t>(const_cast<void *>(symbolPtr));
  return {};
}

}  // namespace hostwarp::api
