// A forked copy of the process to try something in: nobody else sees what it writes.
#ifndef HOSTWARP_FIBERS_PROCESS_COPY_H
#define HOSTWARP_FIBERS_PROCESS_COPY_H

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace hostwarp::fibers {

// runInCopy() runs `tryIt` in a forked copy of the process, on its one thread, and returns the text that `tryIt`
// returns, without zero bytes; nothing when the copy could not be made, died or took too long. Blocks for as long, half
// a minute at most. Memory that is shared between processes becomes the copy's own, page by page, as the copy writes to
// it. `tryIt` must not wait for other threads: the copy has none. Where it needs a lock that one of them held at the
// fork, it runs again in another copy.
std::optional<std::string> runInCopy(const std::function<std::string()> &tryIt);

// takePrivatePage() is for the handler of a fault at this address. In such a copy it makes a page that was shared the
// copy's own; true if it has done so, and the instruction is to be executed again.
bool takePrivatePage(uintptr_t address);

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_PROCESS_COPY_H
