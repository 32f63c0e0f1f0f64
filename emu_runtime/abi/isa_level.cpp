// hw_isa_level: which of a kernel's compiled variants this machine can run.
#include "emu_runtime/support/options.h"
#include "include/hostwarp/device_abi.h"

extern "C" {
__attribute__((visibility("default"))) uint32_t hw_isa_level = HW_ISA_BASELINE;
}

namespace hostwarp::abi {
namespace {

// supportedLevel() includes the operating system's part: it has to save the wide registers.
uint32_t supportedLevel() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64-v4")) return HW_ISA_AVX512;
  if (__builtin_cpu_supports("x86-64-v3")) return HW_ISA_AVX2;
#endif
  return HW_ISA_BASELINE;
}

// wantedLevel() is what HOSTWARP_ISA asks for; the best there is when it says nothing.
uint32_t wantedLevel() {
  const std::string &text = optionText(Option::ISA);
  if (text == "baseline") return HW_ISA_BASELINE;
  return text == "avx2" ? HW_ISA_AVX2 : HW_ISA_AVX512;
}

// Before the constructors of programs, which may launch kernels.
__attribute__((constructor(101))) void chooseLevel() {
  const uint32_t supported = supportedLevel();
  const uint32_t wanted = wantedLevel();
  hw_isa_level = wanted < supported ? wanted : supported;
}

}  // namespace
}  // namespace hostwarp::abi
