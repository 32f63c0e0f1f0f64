// PTX modules as CUDA C++: each kernel becomes a function whose body is one asm statement, so that what compiler/ptx
// makes of inline PTX is what there is of PTX.
#ifndef HOSTWARP_COMPILER_DRIVER_PTX_SOURCE_H
#define HOSTWARP_COMPILER_DRIVER_PTX_SOURCE_H

#include <string>

namespace hostwarp::driver {

// cudaSourceOfPtx() translates a module. What cannot be there is named by an #error line, which the compiler reports.
std::string cudaSourceOfPtx(const std::string &ptx);

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_PTX_SOURCE_H
