// What clang does not parse and nvcc does, mended in a copy of the source.
#ifndef HOSTWARP_COMPILER_DRIVER_SOURCE_ADAPTATION_H
#define HOSTWARP_COMPILER_DRIVER_SOURCE_ADAPTATION_H

#include <optional>
#include <string>

namespace hostwarp::driver {

// adaptSource() returns the text to compile instead of the file, which begins with a #line directive that names it;
// none when the file can be compiled as it is. Mended are launch brackets written with spaces, k << <1, 32>> >(x), and
// a main() without its type.
std::optional<std::string> adaptSource(const std::string &path);

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_SOURCE_ADAPTATION_H
