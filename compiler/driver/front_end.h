// Command lines of the compilers: clang's two passes over CUDA C++, and the host compiler.
#ifndef HOSTWARP_COMPILER_DRIVER_FRONT_END_H
#define HOSTWARP_COMPILER_DRIVER_FRONT_END_H

#include <string>
#include <vector>

#include "compiler/driver/invocation.h"
#include "compiler/driver/toolchain.h"

namespace hostwarp::driver {

using Command = std::vector<std::string>;

// append() adds arguments at the command's end.
void append(Command &command, const std::vector<std::string> &more);

// Each function gives the whole command except what is to be made of the input: the caller appends -c, -E or -M, the
// input and -o.
Command hostPassCommand(const Invocation &invocation, const Toolchain &tools);
Command devicePassCommand(const Invocation &invocation, const Toolchain &tools, const Architecture &target);
Command hostCompilerCommand(const Invocation &invocation, const Toolchain &tools, Language language);

// DeviceCode is what the device pass has made of a source for some targets, as describe() has them; PTX names its own.
struct DeviceCode {
  std::string file;
  std::string targets;
};

// hwccDeviceCommand() turns the code into objects that are linked together; large code is shared out among them.
Command hwccDeviceCommand(const Invocation &invocation, const Toolchain &tools, const std::string &source,
                          const std::string &imageId, const std::vector<DeviceCode> &code,
                          const std::vector<std::string> &objects);

// gpuCodeCommand() makes PTX of what images carry.
Command gpuCodeCommand(const Invocation &invocation, const Toolchain &tools, const std::string &output);

// clangHostArguments() are the arguments meant for the host compiler, as far as clang takes them.
std::vector<std::string> clangHostArguments(const Invocation &invocation);

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_FRONT_END_H
