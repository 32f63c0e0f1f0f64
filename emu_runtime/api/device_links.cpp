// What devices have in common with the host, each other and the rest of the machine: atomics, writes from outside,
// budgets of memory.
#include "emu_runtime/api/api.h"
#include "emu_runtime/device/current.h"
#include "emu_runtime/device/handle_table.h"

namespace hostwarp::api {

namespace {

// nativeAtomics() is what an operation can do where both ends of a link work on the same memory; 0 for none.
unsigned nativeAtomics(cudaAtomicOperation operation) {
  constexpr unsigned integers = cudaAtomicCapabilitySigned | cudaAtomicCapabilityUnsigned;
  constexpr unsigned words = cudaAtomicCapabilityScalar32 | cudaAtomicCapabilityScalar64;
  switch (operation) {
    case cudaAtomicOperationIntegerAdd:
    case cudaAtomicOperationIntegerMin:
    case cudaAtomicOperationIntegerMax:
    case cudaAtomicOperationAnd:
    case cudaAtomicOperationOr:
    case cudaAtomicOperationXOR:
      return integers | words | cudaAtomicCapabilityReduction;
    case cudaAtomicOperationIntegerIncrement:
    case cudaAtomicOperationIntegerDecrement:
      return cudaAtomicCapabilityUnsigned | cudaAtomicCapabilityScalar32 | cudaAtomicCapabilityReduction;
    case cudaAtomicOperationExchange:
    case cudaAtomicOperationCAS:
      return integers | words | cudaAtomicCapabilityScalar128;
    case cudaAtomicOperationFloatAdd:
      return words | cudaAtomicCapabilityReduction | cudaAtomicCapabilityVector32x4;
    case cudaAtomicOperationFloatMin:
    case cudaAtomicOperationFloatMax:
      return 0;
  }
  return 0;
}

// fillCapabilities() answers for every operation; a link without native atomics has none of them.
Status fillCapabilities(unsigned *capabilities, const cudaAtomicOperation *operations, unsigned count, bool native) {
  if (!capabilities || !operations || count == 0) return cudaErrorInvalidValue;
  for (unsigned i = 0; i < count; ++i)
    if (operations[i] < cudaAtomicOperationIntegerAdd || operations[i] > cudaAtomicOperationFloatMax)
      return cudaErrorInvalidValue;
  for (unsigned i = 0; i < count; ++i) capabilities[i] = native ? nativeAtomics(operations[i]) : 0;
  return {};
}

// Notified is a program's wish to hear when a device's budget shrinks below what the program uses. Nobody shrinks it
// here, so the wish is all there is.
struct Notified {
  int device;
};
using NotificationTable = device::HandleTable<cudaAsyncCallbackHandle_t, Notified>;

NotificationTable &notifications() {
  static auto *table = new NotificationTable;
  return *table;
}

}  // namespace

Status cudaDeviceGetHostAtomicCapabilities(unsigned *capabilities, const cudaAtomicOperation *operations,
                                           unsigned count, int device) {
  int native = 0;
  HOSTWARP_TRY(api::cudaDeviceGetAttribute(&native, cudaDevAttrHostNativeAtomicSupported, device));
  return fillCapabilities(capabilities, operations, count, native != 0);
}

Status cudaDeviceGetP2PAtomicCapabilities(unsigned *capabilities, const cudaAtomicOperation *operations, unsigned count,
                                          int srcDevice, int dstDevice) {
  int native = 0;
  HOSTWARP_TRY(api::cudaDeviceGetP2PAttribute(&native, cudaDevP2PAttrNativeAtomicSupported, srcDevice, dstDevice));
  return fillCapabilities(capabilities, operations, count, native != 0);
}

Status cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTarget target,
                                          cudaFlushGPUDirectRDMAWritesScope scope) {
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  const bool known =
      target == cudaFlushGPUDirectRDMAWritesTargetCurrentDevice &&
      (scope == cudaFlushGPUDirectRDMAWritesToOwner || scope == cudaFlushGPUDirectRDMAWritesToAllDevices);
  if (!known) return cudaErrorInvalidValue;
  return {cudaErrorNotSupported, "the device has no GPUDirect RDMA (cudaDevAttrGPUDirectRDMASupported)"};
}

Status cudaDeviceRegisterAsyncNotification(int device, cudaAsyncCallback callbackFunc, void *,
                                           cudaAsyncCallbackHandle_t *callback) {
  if (auto found = device::find(device); !found.ok()) return found.status();
  if (!callbackFunc || !callback) return cudaErrorInvalidValue;
  *callback = notifications().add({device});
  return {};
}

Status cudaDeviceUnregisterAsyncNotification(int device, cudaAsyncCallbackHandle_t callback) {
  if (auto found = device::find(device); !found.ok()) return found.status();
  auto known = notifications().find(callback);
  if (!known || known->device != device) return cudaErrorInvalidValue;
  (void)notifications().take(callback);
  return {};
}

}  // namespace hostwarp::api
