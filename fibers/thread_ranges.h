// Sets of threads in a form for people.
#ifndef HOSTWARP_FIBERS_THREAD_RANGES_H
#define HOSTWARP_FIBERS_THREAD_RANGES_H

#include <cstdint>
#include <string>
#include <vector>

#include "include/hostwarp/device_abi.h"

namespace hostwarp::fibers {

// threadRanges() writes linear thread numbers of a block as boxes: "threads (0..31,0,0)", "thread (5,1,0)",
// "threads (0..15,0..3,0) (2,4,0)". Long lists are cut and counted.
std::string threadRanges(std::vector<uint32_t> threads, const hw_dim3 &blockDim);

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_THREAD_RANGES_H
