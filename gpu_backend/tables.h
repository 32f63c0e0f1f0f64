// The functions of NVIDIA's libraries, one pointer for each row of our own tables. Null: the library has none.
#ifndef HOSTWARP_GPU_BACKEND_TABLES_H
#define HOSTWARP_GPU_BACKEND_TABLES_H

#include "emu_runtime/driver/declarations.h"
#include "include/cuda_runtime_api.h"

namespace hostwarp::gpu_backend {

#define HOSTWARP_POINTER(result, name, parameters) result(*name) parameters = nullptr;
#define HOSTWARP_VARIANT_PLAIN(result, name, parameters)
#define HOSTWARP_VARIANT_PTDS(result, name, parameters) HOSTWARP_POINTER(result, name##_ptds, parameters)
#define HOSTWARP_VARIANT_PTSZ(result, name, parameters) HOSTWARP_POINTER(result, name##_ptsz, parameters)

// RuntimeTable has libcudart's functions, and those that compiled programs register with.
struct RuntimeTable {
#define HOSTWARP_API(status, chapter, errors, variant, name, parameters, arguments) \
  HOSTWARP_POINTER(cudaError_t, name, parameters)                                   \
  HOSTWARP_VARIANT_##variant(cudaError_t, name, parameters)
#define HOSTWARP_API_VALUE(status, chapter, type, name, parameters, arguments) HOSTWARP_POINTER(type, name, parameters)
#include "emu_runtime/api/api.def"
#undef HOSTWARP_API
#undef HOSTWARP_API_VALUE
#define HOSTWARP_REGISTRATION(result, name, parameters) HOSTWARP_POINTER(result, name, parameters)
#include "gpu_backend/registration.def"
#undef HOSTWARP_REGISTRATION
};

struct DriverTable {
#define HOSTWARP_DRIVER(status, needs, variant, name, parameters, arguments) \
  HOSTWARP_POINTER(CUresult, name, parameters)                               \
  HOSTWARP_VARIANT_##variant(CUresult, name, parameters)
#include "emu_runtime/driver/driver_api.def"
#undef HOSTWARP_DRIVER
};

#undef HOSTWARP_POINTER
#undef HOSTWARP_VARIANT_PLAIN
#undef HOSTWARP_VARIANT_PTDS
#undef HOSTWARP_VARIANT_PTSZ

// What calls are handed on to. Filled before the backend is the GPU, and never changed after.
extern RuntimeTable realRuntime;
extern DriverTable realDriver;

// fillRuntimeTable() and fillDriverTable() look the names up in an opened library.
void fillRuntimeTable(void *library);
void fillDriverTable(void *library);

}  // namespace hostwarp::gpu_backend

#endif  // HOSTWARP_GPU_BACKEND_TABLES_H
