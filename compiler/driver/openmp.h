// OpenMP in .cu files: where clang's runtime for it is.
#ifndef HOSTWARP_COMPILER_DRIVER_OPENMP_H
#define HOSTWARP_COMPILER_DRIVER_OPENMP_H

#include <string>
#include <vector>

#include "compiler/driver/invocation.h"
#include "compiler/driver/result.h"

namespace hostwarp::driver {

// OpenMp holds what clang must be told besides -fopenmp: nothing when the runtime of its own version is installed.
struct OpenMp {
  std::vector<std::string> compileArguments;
  std::vector<std::string> linkArguments;
};

// findOpenMp() looks beside clang and in the other LLVM versions of this machine, newest first: libomp's interface does
// not change between them. Without -fopenmp on the command line it looks nowhere. It fails if OpenMP is wanted for
// clang and there is no runtime.
Expected<OpenMp> findOpenMp(const Invocation &invocation, const std::string &clang);

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_OPENMP_H
