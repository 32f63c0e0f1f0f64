// The commands of the program `hostwarp`. Each returns the exit status.
#ifndef HOSTWARP_TOOLS_HOSTWARP_COMMANDS_H
#define HOSTWARP_TOOLS_HOSTWARP_COMMANDS_H

#include <span>
#include <string>
#include <string_view>

namespace hostwarp::tool {

using Arguments = std::span<const std::string_view>;

// runCommand() runs the command that the first argument names; runAs() the one that this program's own name stands for,
// as nvidia-smi and ptxas in the toolkit's folder are links to it.
int runCommand(Arguments arguments);
int runAs(std::string_view program, Arguments arguments);

// info() prints what a program started here and now would see: library, devices, limits, engine, options.
int info(Arguments arguments);
// devices() lists the models that HOSTWARP_DEVICES and --device accept.
int devices(Arguments arguments);
// doctor() looks at the installation, what it needs, and whether a kernel can be compiled and run, and says what mends
// what is wrong: 1 if something keeps kernels from running.
int doctor(Arguments arguments);
// newProject() makes a folder with a CMake project in it.
int newProject(Arguments arguments);
// run() replaces this process by a program, with our runtime first in its library path. Returns only on failure.
int run(Arguments arguments);
// unknownDevice() says which part of a list as HOSTWARP_DEVICES takes it is no GPU, or is empty.
std::string unknownDevice(std::string_view list);

// check() runs a program whose kernels are built once more to tell of races and wrong accesses: 1 when there are some,
// 2 when something was not checked, else the program's own status.
int check(Arguments arguments);
// compareRuns() runs a program twice and finds where the runs first differ: 1 when they do, 2 when they could not be
// compared.
int compareRuns(Arguments arguments);
// explore() runs check() with several schedules of the same program, side by side: 1 when one of them fails, or comes
// to another output than the rest.
int explore(Arguments arguments);
// debug() replaces this process by gdb, with the debug build of the program's kernels and CUDA's words. Returns only on
// failure.
int debug(Arguments arguments);
// sanitizer() runs check() with compute-sanitizer's options and output.
int sanitizer(Arguments arguments);
// explain() replaces this process by hwcc-device, which tells what became of the kernels in each file. Returns only on
// failure.
int explain(Arguments arguments);
// environment() prints the variables that run() sets, for a shell to evaluate.
int environment(Arguments arguments);
// ptxas() replaces this process by hwcc, which makes an image of a file of PTX. Returns only on failure.
int ptxas(Arguments arguments);
// toolkit() prints the folder that stands for a CUDA toolkit.
int toolkit(Arguments arguments);
// trace() replaces this process by a program that writes a timeline. Returns only on failure.
int trace(Arguments arguments);
// smi() says what nvidia-smi says of the devices: a table, -L, -q, --query-gpu and --query-compute-apps.
int smi(Arguments arguments);
// smiFieldsHelp() prints the names of the fields that smi() can be asked for.
void smiFieldsHelp();

// setVariable() sets an environment variable of this process. execute() replaces the process by the command, and
// executeProgram() by a program that is to find our libraries (environment.h); they return only on failure, with the
// exit status.
void setVariable(const char *name, const std::string &value);
int execute(Arguments command);
int executeProgram(Arguments command);
// installationRoot() is the folder above the one that holds this program.
std::string installationRoot();
// cacheFolder() is where things are kept from call to call; empty if the user has no such place.
std::string cacheFolder();
// versionText() is the version with the commit that it was built from.
std::string versionText();
// fail() prints a complaint and returns the exit status for a wrong call.
int fail(const std::string &complaint);

}  // namespace hostwarp::tool

#endif  // HOSTWARP_TOOLS_HOSTWARP_COMMANDS_H
