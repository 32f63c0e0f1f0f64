#include "compiler/driver/macros.h"

namespace hostwarp::driver {

std::vector<std::string> hostMacros(const Invocation &v) {
  std::string architectures;
  for (const int macro : v.architectures.list())
    architectures += (architectures.empty() ? "" : ",") + std::to_string(macro);
  std::vector<std::string> result = {
      "-D__NVCC__",
      "-D__CUDACC_VER_MAJOR__=13",
      "-D__CUDACC_VER_MINOR__=0",
      "-D__CUDACC_VER_BUILD__=88",
      "-D__CUDA_API_VER_MAJOR__=13",
      "-D__CUDA_API_VER_MINOR__=0",
      "-D__NVCC_DIAG_PRAGMA_SUPPORT__=1",
      "-D__CUDACC_DEVICE_ATOMIC_BUILTINS__=1",
      "-D__CUDA_ARCH_LIST__=" + architectures,
  };
  if (v.perThreadDefaultStream) result.push_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
  return result;
}

std::vector<std::string> cudaMacros(const Invocation &v) {
  std::vector<std::string> result = hostMacros(v);
  result.push_back("-D__CUDACC__");
  if (v.relocatable && !v.extensibleWholeProgram) result.push_back("-D__CUDACC_RDC__");
  if (v.extensibleWholeProgram) result.push_back("-D__CUDACC_EWP__");
  if (v.deviceDebug) result.push_back("-D__CUDACC_DEBUG__");
  if (v.extendedLambda) result.push_back("-D__CUDACC_EXTENDED_LAMBDA__");
  if (v.relaxedConstexpr) result.push_back("-D__CUDACC_RELAXED_CONSTEXPR__");
  return result;
}

std::vector<std::string> deviceMacros(const Invocation &v, const Architecture &target) {
  const std::string arch = std::to_string(target.macro);
  const std::string name = std::to_string(target.macro / 10);
  // clang has defined __CUDA_ARCH__ for the architecture that it was told.
  std::vector<std::string> result = {"-U__CUDA_ARCH__", "-D__CUDA_ARCH__=" + arch, "-DCUDA_DOUBLE_MATH_FUNCTIONS"};
  if (target.variant == 'a') {
    result.push_back("-D__CUDA_ARCH_SPECIFIC__=" + arch);
    result.push_back("-D__CUDA_ARCH_FEAT_SM" + name + "_ALL=1");
  }
  if (target.variant != '\0') result.push_back("-D__CUDA_ARCH_FAMILY_SPECIFIC__=" + arch);
  const FloatingPoint &fp = v.floatingPoint;
  // For our own headers: what nvcc tells its device compiler by other means.
  if (!fp.fusedMultiplyAdd.value_or(true)) result.push_back("-DHOSTWARP_UNFUSED=1");
  if (fp.fastMath) result.push_back("-DHOSTWARP_FAST_MATH=1");
  if (fp.flushToZero.value_or(fp.fastMath)) result.push_back("-DHOSTWARP_FTZ=1");
  if (!fp.preciseDivision.value_or(!fp.fastMath)) result.push_back("-DHOSTWARP_APPROXIMATE_DIVISION=1");
  if (!fp.preciseSqrt.value_or(!fp.fastMath)) result.push_back("-DHOSTWARP_APPROXIMATE_SQRT=1");
  return result;
}

}  // namespace hostwarp::driver
