// The thread engine of this process, as the user's options want it.
#ifndef HOSTWARP_EMU_RUNTIME_EXECUTION_ENGINE_H
#define HOSTWARP_EMU_RUNTIME_EXECUTION_ENGINE_H

#include "fibers/engine.h"

namespace hostwarp::execution {

// engineOptions() are what HOSTWARP_WORKERS, HOSTWARP_SEED, HOSTWARP_FORM and HOSTWARP_TIMEOUT say.
fibers::EngineOptions engineOptions();

// engine() runs all grids; it is made at first use. A forked child gets one of its own. Thread-safe.
fibers::Engine &engine();

}  // namespace hostwarp::execution

#endif  // HOSTWARP_EMU_RUNTIME_EXECUTION_ENGINE_H
