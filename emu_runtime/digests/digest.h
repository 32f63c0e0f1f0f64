// digestOf(): 128 bits that stand for the contents of memory.
#ifndef HOSTWARP_EMU_RUNTIME_DIGESTS_DIGEST_H
#define HOSTWARP_EMU_RUNTIME_DIGESTS_DIGEST_H

#include <string_view>

#include "emu_runtime/support/compare_wire.h"

namespace hostwarp::digests {

// digestOf() differs for other bytes, but by a chance of about 2^-128; it is no secret how to make two that are alike.
// The same on all machines.
compare_wire::Digest digestOf(std::string_view bytes);

}  // namespace hostwarp::digests

#endif  // HOSTWARP_EMU_RUNTIME_DIGESTS_DIGEST_H
