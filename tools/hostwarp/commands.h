// The commands of the program `hostwarp`. Each returns the exit status.
#ifndef HOSTWARP_TOOLS_HOSTWARP_COMMANDS_H
#define HOSTWARP_TOOLS_HOSTWARP_COMMANDS_H

#include <span>
#include <string>
#include <string_view>

namespace hostwarp::tool {

using Arguments = std::span<const std::string_view>;

// runCommand() runs the command that the first argument names.
int runCommand(Arguments arguments);

// info() prints what a program started here and now would see: library, devices, limits, engine, options.
int info(Arguments arguments);
// devices() lists the models that HOSTWARP_DEVICES and --device accept.
int devices(Arguments arguments);
// run() replaces this process by a program, with our runtime first in its library path. Returns only on failure.
int run(Arguments arguments);
// runHelp() prints run()'s options.
void runHelp();

// installationRoot() is the folder above the one that holds this program.
std::string installationRoot();
// fail() prints a complaint and returns the exit status for a wrong call.
int fail(const std::string &complaint);

}  // namespace hostwarp::tool

#endif  // HOSTWARP_TOOLS_HOSTWARP_COMMANDS_H
