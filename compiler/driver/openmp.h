// OpenMP in .cu files: clang's host pass takes part in it, so a program has LLVM's runtime, which gcc's code can use
// too.
#ifndef HOSTWARP_COMPILER_DRIVER_OPENMP_H
#define HOSTWARP_COMPILER_DRIVER_OPENMP_H

#include <string>
#include <vector>

#include "compiler/driver/invocation.h"
#include "compiler/driver/result.h"

namespace hostwarp::driver {

// findOpenMpHeader() returns what the passes over .cu files need to find <omp.h>, which programs include without
// -fopenmp too: nothing where clang's own version has one. LLVM's newest is preferred to gcc's. It fails if -fopenmp is
// wanted for a .cu file and there is no runtime of LLVM's.
Expected<std::vector<std::string>> findOpenMpHeader(const Invocation &invocation, const std::string &clang);

// withOpenMpRuntime() returns the arguments of a link with libgomp replaced by LLVM's libomp, which has the functions
// of both, and with the folder that holds it. Arguments that have nothing to do with OpenMP come back as they are, and
// all do on a machine without libomp.
std::vector<std::string> withOpenMpRuntime(const std::vector<std::string> &arguments, const std::string &clang);

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_OPENMP_H
