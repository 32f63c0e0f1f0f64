// cudaGraphNodeParams: the parameters of a node of any kind.
#ifndef HOSTWARP_EMU_RUNTIME_GRAPH_ANY_PARAMS_H
#define HOSTWARP_EMU_RUNTIME_GRAPH_ANY_PARAMS_H

#include <driver_types.h>

#include "emu_runtime/graph/params.h"

namespace hostwarp::graph {

// anyParams() checks and takes over the member that the type names. Conditional nodes are not made this way.
Expected<Params> anyParams(const cudaGraphNodeParams &params);

}  // namespace hostwarp::graph

#endif  // HOSTWARP_EMU_RUNTIME_GRAPH_ANY_PARAMS_H
