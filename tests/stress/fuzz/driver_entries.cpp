#include "emu_runtime/driver/declarations.h"
#include "tests/stress/fuzz/call.h"

#define HOSTWARP_VARIANT_PLAIN(name, parameters)
#define HOSTWARP_VARIANT_PTDS(name, parameters) extern "C" CUresult name##_ptds parameters;
#define HOSTWARP_VARIANT_PTSZ(name, parameters) extern "C" CUresult name##_ptsz parameters;
#define HOSTWARP_DRIVER(status, needs, variant, name, parameters, arguments) \
  extern "C" CUresult name parameters;                                       \
  HOSTWARP_VARIANT_##variant(name, parameters)
#include "emu_runtime/driver/driver_api.def"
#undef HOSTWARP_DRIVER
#undef HOSTWARP_VARIANT_PTDS
#undef HOSTWARP_VARIANT_PTSZ

namespace hostwarp::stress {

#define HOSTWARP_ENTRY(name, parameters) {#name, #parameters, runEntry<static_cast<CUresult(*) parameters>(&::name)>},
#define HOSTWARP_VARIANT_PTDS(name, parameters) HOSTWARP_ENTRY(name##_ptds, parameters)
#define HOSTWARP_VARIANT_PTSZ(name, parameters) HOSTWARP_ENTRY(name##_ptsz, parameters)
#define HOSTWARP_DRIVER(status, needs, variant, name, parameters, arguments) \
  HOSTWARP_ENTRY(name, parameters)                                           \
  HOSTWARP_VARIANT_##variant(name, parameters)

void addDriverEntries(std::vector<Entry> &entries) {
  static const Entry table[] = {
#include "emu_runtime/driver/driver_api.def"
  };
  entries.insert(entries.end(), std::begin(table), std::end(table));
}

#undef HOSTWARP_ENTRY
#undef HOSTWARP_VARIANT_PLAIN
#undef HOSTWARP_VARIANT_PTDS
#undef HOSTWARP_VARIANT_PTSZ

}  // namespace hostwarp::stress
