// What is missing by name: headers and libraries that programs want and hostwarp does not have.
#ifndef HOSTWARP_COMPILER_DRIVER_OTHER_LIBRARIES_H
#define HOSTWARP_COMPILER_DRIVER_OTHER_LIBRARIES_H

#include <string>

namespace hostwarp::driver {

// notesOnMissing() says of each header and library that compilers or the linker have not found, and that is a known
// one, whose it is and how to get it: a line each, or empty.
std::string notesOnMissing(const std::string &output);

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_OTHER_LIBRARIES_H
