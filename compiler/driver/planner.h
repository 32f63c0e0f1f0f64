// From an Invocation to the jobs that carry it out.
#ifndef HOSTWARP_COMPILER_DRIVER_PLANNER_H
#define HOSTWARP_COMPILER_DRIVER_PLANNER_H

#include <cstdint>
#include <string>
#include <string_view>

#include "compiler/driver/invocation.h"
#include "compiler/driver/job.h"
#include "compiler/driver/temp_files.h"
#include "compiler/driver/toolchain.h"

namespace hostwarp::driver {

// makePlan() lays out all jobs; it runs nothing and writes nothing. `identity` tells this call of hwcc from others
// whose objects may be linked with its own: equal calls get equal image ids, and so equal objects.
Expected<Plan> makePlan(const Invocation &invocation, const Toolchain &tools, TempFiles &temps,
                        std::string_view identity);

// imageIdOf() is the id that ties the host and the device object of `source` together. Never 0.
std::uint64_t imageIdOf(std::string_view identity, std::string_view source);

// productNameOf() is where a file made of `source` goes when -o says nothing: its name with `suffix`, in -odir if
// given.
std::string productNameOf(const Invocation &invocation, const std::string &source, const std::string &suffix);

// objectNameOf() is where -c puts the object of `source` when -o says nothing: its name with .o, in -odir if given.
std::string objectNameOf(const Invocation &invocation, const std::string &source);

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_PLANNER_H
