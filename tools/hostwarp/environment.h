// What a program's environment has to say for it to find hostwarp's libraries and programs.
#ifndef HOSTWARP_TOOLS_HOSTWARP_ENVIRONMENT_H
#define HOSTWARP_TOOLS_HOSTWARP_ENVIRONMENT_H

#include <string>
#include <vector>

namespace hostwarp::tool {

struct Variable {
  const char *name;
  std::string value;
};

// programEnvironment() is what a program started from here needs. Where its kernels run on the CPU, all look-ups of
// CUDA's libraries, programs and toolkit find hostwarp's; with a GPU only the runtime library is ours, which looks for
// NVIDIA's.
std::vector<Variable> programEnvironment();

// countTime() has programs that are started from here see a time that is the same in each run, unless HOSTWARP_CLOCK
// says otherwise.
void countTime();

// toolkitFolder() is the folder with the shape of a CUDA toolkit, made where an installation has none. Empty if it
// cannot be made; `complaint` then says why.
std::string toolkitFolder(std::string &complaint);

}  // namespace hostwarp::tool

#endif  // HOSTWARP_TOOLS_HOSTWARP_ENVIRONMENT_H
