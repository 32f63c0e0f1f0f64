// What every function of the device ABI does first and last.
#ifndef HOSTWARP_FIBERS_ENGINE_SECTION_H
#define HOSTWARP_FIBERS_ENGINE_SECTION_H

#include "fibers/fiber.h"

// HOSTWARP_ABI marks a definition that compiled kernels link against.
#define HOSTWARP_ABI __attribute__((visibility("default")))

namespace hostwarp::fibers {

// EngineSection marks the calling CUDA thread as being inside of the engine, where the watchdog must not abandon it.
class EngineSection {
 public:
  EngineSection() : fiber_(currentFiber()) { fiber_->inEngine = 1; }
  ~EngineSection() { fiber_->inEngine = 0; }
  EngineSection(const EngineSection &) = delete;
  EngineSection &operator=(const EngineSection &) = delete;
  Fiber *fiber() const { return fiber_; }

 private:
  Fiber *fiber_;
};

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_ENGINE_SECTION_H
