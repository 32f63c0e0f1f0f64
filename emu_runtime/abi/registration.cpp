// What constructors of compiled programs call to make their kernels and variables known: NVIDIA's host ABI.
//
// Parameters that only mean something to NVIDIA's driver are not looked at.
#include <driver_types.h>

#include <cstdio>

#include "emu_runtime/abi/check_summary.h"
#include "emu_runtime/abi/exports.h"
#include "emu_runtime/module/device_variables.h"
#include "emu_runtime/module/registry.h"
#include "include/hostwarp/device_abi.h"

using hostwarp::modules::Module;
using hostwarp::modules::ReferenceKind;
using hostwarp::modules::Registry;

namespace {

Module *moduleOf(void **handle) { return reinterpret_cast<Module *>(handle); }

}  // namespace

HOSTWARP_ABI void hw_register_image(const hw_image *image) noexcept {
  // Nothing of what another version has laid out can be read: its kernels are unknown.
  if (image->abiVersion != HW_DEVICE_ABI_VERSION) {
    std::fprintf(stderr,
                 "hostwarp: device code of this program was compiled by another version of hwcc (interface %u, this "
                 "runtime has %u): compile it again\n",
                 image->abiVersion, HW_DEVICE_ABI_VERSION);
    return;
  }
  hostwarp::summariseChecksAtExit();
  Registry::process().addImage(image);
  hostwarp::modules::announceVariables(*image);
}

HOSTWARP_ABI void **__cudaRegisterFatBinary(void *wrapper) {
  return reinterpret_cast<void **>(Registry::process().addModule(wrapper));
}

HOSTWARP_ABI void __cudaRegisterFatBinaryEnd(void **) {}

HOSTWARP_ABI void __cudaUnregisterFatBinary(void **handle) {
  for (const hw_image *image : Registry::process().removeModule(moduleOf(handle)))
    hostwarp::modules::forgetVariables(*image);
}

HOSTWARP_ABI char __cudaInitModule(void **) { return 1; }

HOSTWARP_ABI void __cudaRegisterFunction(void **handle, const char *hostFunction, char *, const char *deviceName, int,
                                         void *, void *, void *, void *, int *) {
  Registry::process().addKernel(moduleOf(handle), hostFunction, deviceName);
}

HOSTWARP_ABI void __cudaRegisterVar(void **handle, char *hostVariable, char *, const char *deviceName, int, size_t, int,
                                    int) {
  Registry::process().addVariable(moduleOf(handle), hostVariable, deviceName);
}

HOSTWARP_ABI void __cudaRegisterManagedVar(void **handle, void **hostPointer, char *, const char *deviceName, int,
                                           size_t, int, int) {
  const hw_variable *storage = Registry::process().addVariable(moduleOf(handle), hostPointer, deviceName);
  if (storage) *hostPointer = storage->address;
}

HOSTWARP_ABI void __cudaRegisterTexture(void **handle, const void *hostVariable, const void **, const char *deviceName,
                                        int, int normalized, int) {
  Registry::process().addVariable(moduleOf(handle), hostVariable, deviceName, ReferenceKind::Texture, normalized != 0);
}

HOSTWARP_ABI void __cudaRegisterSurface(void **handle, const void *hostVariable, const void **, const char *deviceName,
                                        int, int) {
  Registry::process().addVariable(moduleOf(handle), hostVariable, deviceName, ReferenceKind::Surface);
}

// Objects compiled with -rdc=true register one by one; the system linker has done what nvlink would.
HOSTWARP_ABI void __hostwarpRegisterLinkedBinary(void (*registerGlobals)(void *), void *wrapper, const char *,
                                                 void (*)(void *)) {
  registerGlobals(Registry::process().addModule(wrapper));
}

HOSTWARP_ABI void hw_register_plain_kernel(const void *function, const hw_kernel *code) noexcept {
  Registry::process().addPlainKernel(function, code);
}
