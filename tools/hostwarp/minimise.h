// The fewest preemptions with which a failure still comes.
#ifndef HOSTWARP_TOOLS_HOSTWARP_MINIMISE_H
#define HOSTWARP_TOOLS_HOSTWARP_MINIMISE_H

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hostwarp::tool {

using Preemptions = std::vector<std::string>;

// preemptionsOf() is those of a schedule "p:...", and scheduleOf() the schedule of some.
Preemptions preemptionsOf(const std::string &schedule);
std::string scheduleOf(const Preemptions &preemptions);

// minimise() is a shortest list, in that none of its preemptions can be left out, with which fails() is true (Zeller's
// delta debugging). fails() tells which preemptions of those that it was asked for have come about; none: no failure. At
// most so many attempts are made.
Preemptions minimise(Preemptions preemptions, const std::function<std::optional<Preemptions>(const Preemptions &)> &fails,
                     size_t attempts);

}  // namespace hostwarp::tool

#endif  // HOSTWARP_TOOLS_HOSTWARP_MINIMISE_H
