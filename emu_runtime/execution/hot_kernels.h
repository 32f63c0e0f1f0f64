// Kernels that turn out hot get code of their own for the shape of their blocks (HOSTWARP_SPECIALISE).
#ifndef HOSTWARP_EMU_RUNTIME_EXECUTION_HOT_KERNELS_H
#define HOSTWARP_EMU_RUNTIME_EXECUTION_HOT_KERNELS_H

#include <cstdint>
#include <memory>

#include "emu_runtime/module/kernel.h"
#include "fibers/engine.h"

namespace hostwarp::execution {

// specialiseNow() has the code made that HOSTWARP_SPECIALISE=always asks for, and blocks meanwhile; nothing else. pre:
// not called by a CUDA thread.
void specialiseNow(const modules::Kernel &kernel, const hw_dim3 &block);

// useSpecialised() has the grid run the code for its shape if there is any yet. It returns what its time is to be noted
// for; null: nothing. Never blocks. pre: the grid may run whole blocks.
modules::ShapeUse *useSpecialised(fibers::GridRequest &request, const modules::Kernel &kernel);

// noteRun() tells for how long the grid has run. Where that adds up, the code for its shape is made in the background.
void noteRun(modules::ShapeUse &use, const std::shared_ptr<modules::Kernel> &kernel, const fibers::GridRequest &request,
             int64_t nanoseconds);

}  // namespace hostwarp::execution

#endif  // HOSTWARP_EMU_RUNTIME_EXECUTION_HOT_KERNELS_H
