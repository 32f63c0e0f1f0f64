#include "emu_runtime/profile/call.h"

#include <utility>

namespace hostwarp::profile {
namespace {

std::atomic<uint64_t> calls{0};
thread_local uint64_t currentCall = 0;

}  // namespace

uint64_t Call::current() { return currentCall; }

void Call::begin() {
  number_ = calls.fetch_add(1, std::memory_order_relaxed) + 1;
  outer_ = std::exchange(currentCall, number_);
  begin_ = now();
}

void Call::leave() const { currentCall = outer_; }

void Call::end(const char *category, const char *function, std::string_view line) const {
  writeSlice(rowOfThisThread(), category, function, begin_, now(),
             Fields().add("call", line).add("correlation", number_));
}

}  // namespace hostwarp::profile
