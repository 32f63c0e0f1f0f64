// Copies of boxes between pitched memory and arrays, as cudaMemcpy3DParms describes them.
#ifndef HOSTWARP_EMU_RUNTIME_EXECUTION_BOX_COPY_H
#define HOSTWARP_EMU_RUNTIME_EXECUTION_BOX_COPY_H

#include <driver_types.h>

#include "emu_runtime/execution/transfer.h"
#include "emu_runtime/support/status.h"

namespace hostwarp::execution {

// boxCopy() finds the memory on both sides. Positions and widths count elements where an array takes part, else bytes.
Expected<Copy> boxCopy(const cudaMemcpy3DParms &p);

}  // namespace hostwarp::execution

#endif  // HOSTWARP_EMU_RUNTIME_EXECUTION_BOX_COPY_H
