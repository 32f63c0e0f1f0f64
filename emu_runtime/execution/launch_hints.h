// Hints: attributes of launches, kernel nodes and streams that have no effect here. They are kept, and values that no
// GPU takes are refused as by one.
#ifndef HOSTWARP_EMU_RUNTIME_EXECUTION_LAUNCH_HINTS_H
#define HOSTWARP_EMU_RUNTIME_EXECUTION_LAUNCH_HINTS_H

#include <driver_types.h>

#include "device_model/gpu.h"
#include "emu_runtime/support/status.h"

namespace hostwarp::execution {

// isKernelHint() and isStreamHint(): what launches and kernel nodes take, and what streams take.
bool isKernelHint(cudaLaunchAttributeID id);
bool isStreamHint(cudaLaunchAttributeID id);

// checkHint() fails with cudaErrorInvalidValue for values that `gpu` would not take. pre: `id` is a hint.
Status checkHint(cudaLaunchAttributeID id, const cudaLaunchAttributeValue &value, const device_model::Gpu &gpu);

// unsetAttribute() is what an attribute is worth that nobody has set.
cudaLaunchAttributeValue unsetAttribute(cudaLaunchAttributeID id);

}  // namespace hostwarp::execution

#endif  // HOSTWARP_EMU_RUNTIME_EXECUTION_LAUNCH_HINTS_H
