// What constructors of compiled programs call to make their kernels and variables known: NVIDIA's host ABI.
//
// Parameters that only mean something to NVIDIA's driver are not looked at.
#include <driver_types.h>

#include <cstdio>

#include "emu_runtime/abi/check_summary.h"
#include "emu_runtime/abi/exports.h"
#include "emu_runtime/digests/turn.h"
#include "emu_runtime/module/device_variables.h"
#include "emu_runtime/module/registry.h"
#include "gpu_backend/backend.h"
#include "gpu_backend/registrations.h"
#include "include/hostwarp/device_abi.h"

using hostwarp::gpu_backend::ManagedSlot;
using hostwarp::gpu_backend::Registrations;
using hostwarp::gpu_backend::Symbol;
using hostwarp::modules::Module;
using hostwarp::modules::ReferenceKind;
using hostwarp::modules::Registry;

namespace {

Module *moduleOf(void **handle) { return reinterpret_cast<Module *>(handle); }

// addModule() makes the module known to whoever will run its kernels.
Module *addModule(void *wrapper) {
  Module *const module = Registry::process().addModule(wrapper);
  Registrations::process().addModule(module, module->images);
  return module;
}

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

HOSTWARP_ABI void **__cudaRegisterFatBinary(void *wrapper) { return reinterpret_cast<void **>(addModule(wrapper)); }

HOSTWARP_ABI void __cudaRegisterFatBinaryEnd(void **) {}

HOSTWARP_ABI void __cudaUnregisterFatBinary(void **handle) {
  Registrations::process().removeModule(handle);
  for (const hw_image *image : Registry::process().removeModule(moduleOf(handle)))
    hostwarp::modules::forgetVariables(*image);
}

HOSTWARP_ABI char __cudaInitModule(void **) { return 1; }

HOSTWARP_ABI void __cudaRegisterFunction(void **handle, const char *hostFunction, char *, const char *deviceName, int,
                                         void *, void *, void *, void *, int *) {
  Registry::process().addKernel(moduleOf(handle), hostFunction, deviceName);
  Registrations::process().addSymbol(handle, {Symbol::Kind::Kernel, hostFunction, deviceName});
}

HOSTWARP_ABI void __cudaRegisterVar(void **handle, char *hostVariable, char *, const char *deviceName, int isExternal,
                                    size_t bytes, int isConstant, int) {
  Registry::process().addVariable(moduleOf(handle), hostVariable, deviceName);
  hostwarp::digests::noteVariable(hostVariable, deviceName, bytes);
  Registrations::process().addSymbol(
      handle, {Symbol::Kind::Variable, hostVariable, deviceName, bytes, isConstant != 0, isExternal != 0});
}

// What compiler/host_plugin adds for __managed__ variables.
HOSTWARP_ABI void __hostwarpRegisterManaged(void **handle, ManagedSlot *slot) {
  Registrations::process().addManaged(handle, *slot);
}

HOSTWARP_ABI void __hostwarpAddManagedPlace(ManagedSlot *slot, char **place) {
  Registrations::process().addPlace(*slot, place);
}

HOSTWARP_ABI void *__hostwarpFindManaged(ManagedSlot *slot) noexcept {
  return hostwarp::gpu_backend::findManaged(*slot);
}

HOSTWARP_ABI void __cudaRegisterManagedVar(void **handle, void **hostPointer, char *, const char *deviceName, int,
                                           size_t bytes, int, int) {
  const hw_variable *storage = Registry::process().addVariable(moduleOf(handle), hostPointer, deviceName);
  if (storage) *hostPointer = storage->address;
  Registrations::process().addSymbol(handle, {Symbol::Kind::Managed, hostPointer, deviceName, bytes});
}

HOSTWARP_ABI void __cudaRegisterTexture(void **handle, const void *hostVariable, const void **, const char *deviceName,
                                        int, int normalized, int) {
  Registry::process().addVariable(moduleOf(handle), hostVariable, deviceName, ReferenceKind::Texture, normalized != 0);
  Registrations::process().addSymbol(handle, {Symbol::Kind::Reference, hostVariable, deviceName});
}

HOSTWARP_ABI void __cudaRegisterSurface(void **handle, const void *hostVariable, const void **, const char *deviceName,
                                        int, int) {
  Registry::process().addVariable(moduleOf(handle), hostVariable, deviceName, ReferenceKind::Surface);
  Registrations::process().addSymbol(handle, {Symbol::Kind::Reference, hostVariable, deviceName});
}

// Objects compiled with -rdc=true register one by one; the system linker has done what nvlink would. Of those in an
// image that a program loads (hwcc -dlink -cubin) the device code alone counts.
HOSTWARP_ABI void __hostwarpRegisterLinkedBinary(void (*registerGlobals)(void *), void *wrapper, const char *,
                                                 void (*)(void *)) {
  if (Registry::LoadingImage::isActive()) return;
  registerGlobals(addModule(wrapper));
}

// For our other libraries.
HOSTWARP_ABI int __hostwarp_runs_on_gpu() {
  return hostwarp::gpu_backend::decided() == hostwarp::gpu_backend::State::Gpu;
}

HOSTWARP_ABI void hw_register_plain_kernel(const void *function, const hw_kernel *code) noexcept {
  Registry::process().addPlainKernel(function, code);
}
