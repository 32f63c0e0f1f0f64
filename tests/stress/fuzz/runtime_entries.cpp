#include <cuda_runtime_api.h>

#include "tests/stress/fuzz/call.h"

#define HOSTWARP_VARIANT_PLAIN(name, parameters)
#define HOSTWARP_VARIANT_PTDS(name, parameters) extern "C" cudaError_t name##_ptds parameters;
#define HOSTWARP_VARIANT_PTSZ(name, parameters) extern "C" cudaError_t name##_ptsz parameters;
#define HOSTWARP_API(status, chapter, lastError, variant, name, parameters, arguments) \
  extern "C" cudaError_t name parameters;                                              \
  HOSTWARP_VARIANT_##variant(name, parameters)
#define HOSTWARP_API_VALUE(status, chapter, type, name, parameters, arguments) extern "C" type name parameters;
#include "emu_runtime/api/api.def"
#undef HOSTWARP_API
#undef HOSTWARP_API_VALUE
#undef HOSTWARP_VARIANT_PTDS
#undef HOSTWARP_VARIANT_PTSZ

namespace hostwarp::stress {

// Some names are overloaded in C++.
#define HOSTWARP_TYPED_ENTRY(type, name, parameters) \
  {#name, #parameters, runEntry<static_cast<type(*) parameters>(&::name)>},
#define HOSTWARP_ENTRY(name, parameters) HOSTWARP_TYPED_ENTRY(cudaError_t, name, parameters)
#define HOSTWARP_VARIANT_PTDS(name, parameters) HOSTWARP_ENTRY(name##_ptds, parameters)
#define HOSTWARP_VARIANT_PTSZ(name, parameters) HOSTWARP_ENTRY(name##_ptsz, parameters)
#define HOSTWARP_API(status, chapter, lastError, variant, name, parameters, arguments) \
  HOSTWARP_ENTRY(name, parameters)                                                     \
  HOSTWARP_VARIANT_##variant(name, parameters)
#define HOSTWARP_API_VALUE(status, chapter, type, name, parameters, arguments) \
  HOSTWARP_TYPED_ENTRY(type, name, parameters)

void addRuntimeEntries(std::vector<Entry> &entries) {
  static const Entry table[] = {
#include "emu_runtime/api/api.def"
  };
  entries.insert(entries.end(), std::begin(table), std::end(table));
}

#undef HOSTWARP_ENTRY
#undef HOSTWARP_TYPED_ENTRY
#undef HOSTWARP_VARIANT_PLAIN
#undef HOSTWARP_VARIANT_PTDS
#undef HOSTWARP_VARIANT_PTSZ

}  // namespace hostwarp::stress
