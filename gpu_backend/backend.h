// Where this process's kernels run: on emulated devices or on a GPU.
#ifndef HOSTWARP_GPU_BACKEND_BACKEND_H
#define HOSTWARP_GPU_BACKEND_BACKEND_H

#include <atomic>
#include <cstdint>

#include "emu_runtime/support/status.h"

namespace hostwarp::gpu_backend {

enum class State : uint8_t {
  Undecided,  // no function has been called yet, or code has been registered since
  Cpu,
  Gpu,
  Refused,  // a GPU was asked for and there is none: every call fails
};

extern std::atomic<State> state;

// isCpu() is what every entry point asks first.
inline bool isCpu() { return state.load(std::memory_order_acquire) == State::Cpu; }
// isGpu() and isRefused() do not decide.
inline bool isGpu() { return state.load(std::memory_order_acquire) == State::Gpu; }
inline bool isRefused() { return state.load(std::memory_order_acquire) == State::Refused; }

// decided() decides at the first call, and hands over to the GPU what has been registered since. Blocks while hwcc
// makes code. Thread-safe. What speaks against the GPU is told once on stderr, where the user has asked for one or has
// one.
State decideNow();
inline State decided() {
  const State now = state.load(std::memory_order_acquire);
  return now == State::Undecided ? decideNow() : now;
}

// refusal() is the error of every call in the state Refused.
cudaError_t refusal();

}  // namespace hostwarp::gpu_backend

#endif  // HOSTWARP_GPU_BACKEND_BACKEND_H
