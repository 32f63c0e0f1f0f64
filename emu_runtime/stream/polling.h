// pollUntil(): waiting for somebody who tells nobody.
#ifndef HOSTWARP_EMU_RUNTIME_STREAM_POLLING_H
#define HOSTWARP_EMU_RUNTIME_STREAM_POLLING_H

#include <algorithm>
#include <chrono>
#include <thread>

#include "emu_runtime/stream/context_state.h"
#include "emu_runtime/stream/turns.h"

namespace hostwarp::stream {

// pollUntil() blocks until `arrived` returns true or the context has failed.
template <typename Arrived>
void pollUntil(const ContextState &state, const Arrived &arrived) {
  constexpr auto longest = std::chrono::microseconds(200);
  auto pause = std::chrono::microseconds(1);
  while (state.error() == cudaSuccess && !arrived()) {
    if (Turns::apply()) Turns::taskLooksInVain();
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, longest);
  }
}

}  // namespace hostwarp::stream

#endif  // HOSTWARP_EMU_RUNTIME_STREAM_POLLING_H
