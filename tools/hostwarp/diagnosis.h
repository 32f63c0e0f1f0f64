// What `hostwarp doctor` finds. The functions look, change nothing that lasts, and never fail.
#ifndef HOSTWARP_TOOLS_HOSTWARP_DIAGNOSIS_H
#define HOSTWARP_TOOLS_HOSTWARP_DIAGNOSIS_H

#include <string>
#include <string_view>
#include <vector>

namespace hostwarp::tool {

// Health says what a thing that is looked at means: Wrong keeps kernels from running as they should.
enum class Health { Good, Note, Wrong };

struct Diagnosis {
  Health health;
  std::string_view topic;
  std::string text;
  std::string remedy;  // a command or setting, or empty
};
using Diagnoses = std::vector<Diagnosis>;

// The installation: its files, the runtime library, what programs find in its place.
Diagnosis checkFiles();
Diagnosis checkRuntime();
// The environment: PATH, LD_LIBRARY_PATH, variables, folders to write to, limits, other programs.
void checkEnvironment(Diagnoses &found);
// A kernel is compiled and run: compilers, headers, linker, and which optional headers hwcc has.
void checkKernel(Diagnoses &found);

// explainOutput() finds a known symptom in what a program has printed; `output`'s first line of an error otherwise.
Diagnosis explainOutput(std::string_view topic, const std::string &what, const std::string &output);
// reinstallCommand() is what brings back the files of this installation.
std::string reinstallCommand();

}  // namespace hostwarp::tool

#endif  // HOSTWARP_TOOLS_HOSTWARP_DIAGNOSIS_H
