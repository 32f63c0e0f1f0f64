#include "tools/hostwarp/environment.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "gpu_backend/probe.h"
#include "tools/hostwarp/commands.h"

namespace hostwarp::tool {
namespace {

std::string valueOf(const char *name) {
  const char *value = std::getenv(name);
  return value != nullptr ? value : "";
}

// withFirst() is the list with the entry in front, once.
std::string withFirst(const std::string &entry, const std::string &list) {
  if (list.empty() || list == entry) return entry;
  return list.starts_with(entry + ":") ? list : entry + ":" + list;
}

// runsOnCpu() tells where a program's kernels will run, as its first call will decide.
bool runsOnCpu() {
  const std::string backend = valueOf("HOSTWARP_BACKEND");
  if (backend == "cpu" || backend == "gpu") return backend == "cpu";
  if (gpu_backend::settingOfCpu() != nullptr) return true;
  const gpu_backend::Machine &machine = gpu_backend::probeMachine();
  size_t wanted = 1;
  if (backend.starts_with("auto:")) wanted = std::strtoul(backend.c_str() + 5, nullptr, 10);
  return !machine.problem.ok() || machine.gpus.size() < wanted;
}

void addLookUps(std::vector<Variable> &variables) {
  // CuPy's wheels hold all of CUB's reductions in one fat binary, which takes many minutes to compile; without it CuPy
  // compiles the one kernel that it needs.
  if (std::getenv("CUPY_ACCELERATORS") == nullptr) variables.push_back({"CUPY_ACCELERATORS", ""});
  const std::string audit = installationRoot() + "/lib/libhostwarp_lookup.so";
  if (access(audit.c_str(), R_OK) == 0) variables.push_back({"LD_AUDIT", withFirst(audit, valueOf("LD_AUDIT"))});
  std::string complaint;
  const std::string toolkit = toolkitFolder(complaint);
  if (toolkit.empty()) return;
  variables.push_back({"PATH", withFirst(toolkit + "/bin", valueOf("PATH"))});
  for (const char *name : {"CUDA_HOME", "CUDA_PATH"}) variables.push_back({name, toolkit});
  // Triton brings a ptxas of its own, and looks for the driver where the dynamic linker's cache has one.
  for (const char *name : {"TRITON_PTXAS_PATH", "TRITON_PTXAS_BLACKWELL_PATH"})
    variables.push_back({name, toolkit + "/bin/ptxas"});
  variables.push_back({"TRITON_LIBCUDA_PATH", installationRoot() + "/lib"});
}

std::string quoted(const std::string &value) {
  std::string text = "'";
  for (const char c : value) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

std::vector<Variable> programEnvironment() {
  std::vector<Variable> variables{
      {"LD_LIBRARY_PATH", withFirst(installationRoot() + "/lib", valueOf("LD_LIBRARY_PATH"))}};
  if (runsOnCpu()) addLookUps(variables);
  return variables;
}

void countTime() {
  if (const std::string clock = valueOf("HOSTWARP_CLOCK"); !clock.empty() && clock != "counted") return;
  setVariable("HOSTWARP_CLOCK", "counted");
  const std::string library = installationRoot() + "/lib/libhostwarp_clock.so";
  if (access(library.c_str(), R_OK) != 0) return;
  setVariable("LD_PRELOAD", withFirst(library, valueOf("LD_PRELOAD")));
  // The address sanitizer wants to be the first library, and can do without.
  setVariable("ASAN_OPTIONS", withFirst("verify_asan_link_order=0", valueOf("ASAN_OPTIONS")));
}

int environment(Arguments arguments) {
  if (!arguments.empty()) return fail("env takes no arguments");
  for (const Variable &variable : programEnvironment())
    std::printf("export %s=%s\n", variable.name, quoted(variable.value).c_str());
  return 0;
}

}  // namespace hostwarp::tool
