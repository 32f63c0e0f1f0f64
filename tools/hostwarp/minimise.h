// The fewest preemptions with which a failure still comes.
#ifndef HOSTWARP_TOOLS_HOSTWARP_MINIMISE_H
#define HOSTWARP_TOOLS_HOSTWARP_MINIMISE_H

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tools/hostwarp/schedule_log.h"

namespace hostwarp::tool {

using Preemptions = std::vector<std::string>;

// preemptionsOf() is those of a schedule "p:...", and scheduleOf() the schedule of some.
Preemptions preemptionsOf(const std::string &schedule);
std::string scheduleOf(const Preemptions &preemptions);

// minimise() is a shortest list, in that none of its preemptions can be left out, with which fails() is true (Zeller's
// delta debugging). fails() tells which preemptions of those that it was asked for have come about; none: no failure.
// At most so many attempts are made.
using Fails = std::function<std::optional<Preemptions>(const Preemptions &)>;
Preemptions minimise(Preemptions preemptions, const Fails &fails, size_t attempts);

// singlePreemption() looks for one that will do alone, at one of the stops, in favour of a thread that has another.
// What is left once any of several is taken away need not be the fewest.
std::optional<Preemptions> singlePreemption(const std::vector<ScheduleEvent> &stops, const Fails &fails,
                                            size_t attempts);

}  // namespace hostwarp::tool

#endif  // HOSTWARP_TOOLS_HOSTWARP_MINIMISE_H
