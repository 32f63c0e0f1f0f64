// The steps of a launch as `hostwarp check` follows them.
#ifndef HOSTWARP_EMU_RUNTIME_GRAPH_FOLLOWED_STEPS_H
#define HOSTWARP_EMU_RUNTIME_GRAPH_FOLLOWED_STEPS_H

#include <vector>

#include "emu_runtime/graph/plan.h"
#include "emu_runtime/order/work.h"

namespace hostwarp::graph {

// followSteps() makes a part of the work for each step, and returns them by step. Bodies of conditional steps belong to
// these.
std::vector<order::PartRef> followSteps(const Plan &plan, order::Work &work);

}  // namespace hostwarp::graph

#endif  // HOSTWARP_EMU_RUNTIME_GRAPH_FOLLOWED_STEPS_H
