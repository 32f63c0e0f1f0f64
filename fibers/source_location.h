// From an address in the program to file and line.
#ifndef HOSTWARP_FIBERS_SOURCE_LOCATION_H
#define HOSTWARP_FIBERS_SOURCE_LOCATION_H

#include <string>

namespace hostwarp::fibers {

// locate() gives "file:line" for an instruction, or what is known without debug information: "symbol+0x12". With
// `isReturn` the address is where a call returns to, and the call's line is meant. Of inlined calls the innermost
// outside of include directories is named. May block for long (reads debug information). Thread-safe.
std::string locate(const void *address, bool isReturn);

// functionAt() is the name of the function that the instruction is in, as its symbol says: "sum(int*)"; empty where
// none is known. Otherwise as locate().
std::string functionAt(const void *address, bool isReturn);

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_SOURCE_LOCATION_H
