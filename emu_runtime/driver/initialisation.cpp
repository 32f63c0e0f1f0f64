// Initialisation, versions, errors, and finding functions by name.
#include <atomic>
#include <string>

#include "emu_runtime/api/entry_call.h"
#include "emu_runtime/device/current.h"
#include "emu_runtime/driver/driver.h"
#include "emu_runtime/driver/export_tables.h"
#include "emu_runtime/support/error_text.h"
#include "emu_runtime/support/log.h"

namespace hostwarp::driver_api {

namespace {

std::atomic<bool> initCalled{false};

// Names that programs ask for without the suffix of today's form; the version decides which form it is.
struct Form {
  const char *name;
  int since;  // CUDA version from which the plain name means this form
  const char *symbol;
};

constexpr Form forms[] = {
#define HOSTWARP_FORM(name, since, symbol) {#name, since, #symbol},
#include "emu_runtime/driver/forms.def"
#undef HOSTWARP_FORM
#define HOSTWARP_INTRODUCED(name, since) {#name, since, #name},
#include "emu_runtime/driver/introduced.def"
#undef HOSTWARP_INTRODUCED
};

// symbolFor() is the exported name that `name` stands for in a program written for this version of CUDA; null when only
// later versions have it.
const char *symbolFor(const char *name, int version) {
  const char *best = nullptr;
  bool known = false;
  for (const Form &form : forms) {
    if (std::string_view(form.name) != name) continue;
    known = true;
    if (version >= form.since) best = form.symbol;
  }
  return known ? best : name;
}

struct Found {
  void *function;
  CUdriverProcAddressQueryResult result;
};

Found lookUp(const char *name, int version, bool perThread) {
  const char *symbol = symbolFor(name, version);
  if (!symbol) return {nullptr, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT};
  void *function = entryPoint(symbol, perThread);
  return {function, function ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND};
}

}  // namespace

bool initialised() {
  return initCalled.load(std::memory_order_relaxed) || api::driverIsUp.load(std::memory_order_relaxed);
}

CUresult resultOf(cudaError_t error) {
  switch (static_cast<int>(error)) {
    case cudaErrorInvalidSymbol:
      return CUDA_ERROR_NOT_FOUND;
    case cudaErrorInvalidDeviceFunction:
      return CUDA_ERROR_INVALID_HANDLE;
    case cudaErrorInsufficientDriver:
      return CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER;
    case cudaErrorStubLibrary:
    case cudaErrorCallRequiresNewerDriver:
    case cudaErrorDevicesUnavailable:
      return static_cast<CUresult>(error);
  }
  const bool shared = error <= cudaErrorProfilerAlreadyStopped || error >= cudaErrorNoDevice;
  return shared ? static_cast<CUresult>(error) : CUDA_ERROR_INVALID_VALUE;
}

const char *resultName(CUresult result) {
  switch (result) {
#define HOSTWARP_RESULT(name) \
  case name:                  \
    return #name;
#include "emu_runtime/driver/results.def"
#undef HOSTWARP_RESULT
  }
  return nullptr;
}

Status cuInit(unsigned flags) {
  if (flags) return cudaErrorInvalidValue;
  HOSTWARP_TRY(device::permitted());
  if (device::devices().empty()) return cudaErrorNoDevice;
  initCalled.store(true, std::memory_order_relaxed);
  return {};
}

Status cuDriverGetVersion(int *driverVersion) { return api::cudaDriverGetVersion(driverVersion); }

Status cuGetErrorName(CUresult error, const char **pStr) {
  if (!pStr) return cudaErrorInvalidValue;
  *pStr = resultName(error);
  return *pStr ? Status() : Status(cudaErrorInvalidValue);
}

Status cuGetErrorString(CUresult error, const char **pStr) {
  if (!pStr) return cudaErrorInvalidValue;
  *pStr = resultName(error) ? errorText(static_cast<cudaError_t>(error)) : nullptr;
  return *pStr ? Status() : Status(cudaErrorInvalidValue);
}

Status cuGetProcAddress_v2(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags,
                           CUdriverProcAddressQueryResult *symbolStatus) {
  constexpr cuuint64_t known = CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  if (!symbol || !pfn || (flags & ~known)) return cudaErrorInvalidValue;
  const Found found = lookUp(symbol, cudaVersion, flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM);
  *pfn = found.function;
  if (symbolStatus) *symbolStatus = found.result;
  return found.function || symbolStatus ? Status() : Status(cudaErrorSymbolNotFound);
}

Status cuGetProcAddress(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags) {
  return driver_api::cuGetProcAddress_v2(symbol, pfn, cudaVersion, flags, nullptr);
}

Status cuGetExportTable(const void **ppExportTable, const CUuuid *pExportTableId) {
  if (!ppExportTable || !pExportTableId) return cudaErrorInvalidValue;
  *ppExportTable = exportTable(*pExportTableId);
  return *ppExportTable ? Status() : Status(cudaErrorInvalidValue);
}

Status cuProfilerStart() { return api::cudaProfilerStart(); }
Status cuProfilerStop() { return api::cudaProfilerStop(); }

}  // namespace hostwarp::driver_api

namespace hostwarp::api {

Status cudaGetDriverEntryPointByVersion(const char *symbol, void **funcPtr, unsigned cudaVersion,
                                        unsigned long long flags, cudaDriverEntryPointQueryResult *driverStatus) {
  if (!symbol || !funcPtr || flags > cudaEnablePerThreadDefaultStream) return cudaErrorInvalidValue;
  const bool perThread =
      flags == cudaEnablePerThreadDefaultStream || (flags == cudaEnableDefault && defaultStreamIsPerThread());
  CUdriverProcAddressQueryResult result{};
  HOSTWARP_TRY(driver_api::cuGetProcAddress_v2(
      symbol, funcPtr, static_cast<int>(cudaVersion),
      perThread ? CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM : CU_GET_PROC_ADDRESS_LEGACY_STREAM, &result));
  if (driverStatus) *driverStatus = static_cast<cudaDriverEntryPointQueryResult>(result);
  return *funcPtr || driverStatus ? Status() : Status(cudaErrorSymbolNotFound);
}

Status cudaGetDriverEntryPoint(const char *symbol, void **funcPtr, unsigned long long flags,
                               cudaDriverEntryPointQueryResult *driverStatus) {
  return api::cudaGetDriverEntryPointByVersion(symbol, funcPtr, CUDART_VERSION, flags, driverStatus);
}

}  // namespace hostwarp::api
