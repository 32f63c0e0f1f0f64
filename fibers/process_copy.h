// A copy of the process to try something in: what it writes nobody else sees.
#ifndef HOSTWARP_FIBERS_PROCESS_COPY_H
#define HOSTWARP_FIBERS_PROCESS_COPY_H

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace hostwarp::fibers {

// runInCopy() runs `tryIt` in a forked copy of the process, on the calling thread's copy, and returns the text that it
// gives. None when the copy could not be made, died or took more than some seconds. Blocks for as long. Memory that
// processes share is the copy's own as well, page by page as it is written to. `tryIt` must not wait for other threads:
// the copy has none.
std::optional<std::string> runInCopy(const std::function<std::string()> &tryIt);

// takePrivatePage() is for the handler of a fault at this address: true when this is such a copy, and the page was a
// shared one and is its own now, so that the instruction can be executed again.
bool takePrivatePage(uintptr_t address);

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_PROCESS_COPY_H
