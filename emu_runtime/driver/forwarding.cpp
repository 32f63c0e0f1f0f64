// libcuda.so.1: the names that programs link with or look up, for what libcudart does (entry_points.cpp).
#include "emu_runtime/driver/declarations.h"

#define HOSTWARP_FORWARD(symbol, parameters, arguments) \
  extern "C" CUresult __hostwarp_##symbol parameters;   \
  extern "C" __attribute__((visibility("default"))) CUresult symbol parameters { return __hostwarp_##symbol arguments; }
#define HOSTWARP_VARIANT_PLAIN(name, parameters, arguments)
#define HOSTWARP_VARIANT_PTDS(name, parameters, arguments) HOSTWARP_FORWARD(name##_ptds, parameters, arguments)
#define HOSTWARP_VARIANT_PTSZ(name, parameters, arguments) HOSTWARP_FORWARD(name##_ptsz, parameters, arguments)
#define HOSTWARP_DRIVER(status, needs, variant, name, parameters, arguments) \
  HOSTWARP_FORWARD(name, parameters, arguments)                              \
  HOSTWARP_VARIANT_##variant(name, parameters, arguments)
#include "emu_runtime/driver/driver_api.def"

// --- Old names ---

extern "C" CUresult __hostwarp_narrow(const char *name);

// The assembler's names keep these functions apart from what cuda.h makes of theirs.
#define HOSTWARP_SAME(old, current) asm(".globl " #old "\n.set " #old ", " #current);
#define HOSTWARP_NARROW(old)                                                                \
  extern "C" __attribute__((visibility("default"))) CUresult hostwarpOld_##old() asm(#old); \
  CUresult hostwarpOld_##old() { return __hostwarp_narrow(#old); }
#include "emu_runtime/driver/old_names.def"
