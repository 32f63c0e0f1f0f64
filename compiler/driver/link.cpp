#include "compiler/driver/link.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string_view>

#include "compiler/driver/openmp.h"

namespace hostwarp::driver {
namespace {

bool names(const std::vector<std::string> &libraries, std::string_view name) {
  return std::ranges::find(libraries, name) != libraries.end();
}

// NVIDIA's libraries whose whole content our libcudart or the headers have: builds name them out of habit.
bool isDispensable(std::string_view name) { return name == "cudadevrt" || name == "cuda" || name == "nvToolsExt"; }

bool needsSharedRuntime(const Invocation &v, const Toolchain &tools, const std::vector<std::string> &objects) {
  return names(v.libraries, "curand") || (names(v.libraries, "cuda") && tools.hasLibrary("cuda")) ||
         std::ranges::any_of(objects, bringsSharedRuntime);
}

void appendUserLibraries(Command &command, const Invocation &v, const Toolchain &tools, bool sharedRuntime) {
  for (const std::string &path : v.libraryPaths) command.push_back("-L" + path);
  for (const std::string &name : v.libraries) {
    if (sharedRuntime && name == "cudart_static") continue;
    if (!isDispensable(name) || tools.hasLibrary(name)) command.push_back("-l" + name);
  }
}

void appendRuntime(Command &command, const Invocation &v, bool sharedRuntime) {
  const bool staticIsNamed = names(v.libraries, "cudart_static");
  const bool named = names(v.libraries, "cudart") || (staticIsNamed && !sharedRuntime);
  const bool isStatic = !sharedRuntime && (v.runtimeLibrary == RuntimeLibrary::Static || staticIsNamed);
  if (v.runtimeLibrary == RuntimeLibrary::None && !named && !staticIsNamed) return;
  if (isStatic) {
    // As the shared library is linked: there is no room for late binding on the stack of a GPU's thread.
    append(command, {"-lcudart_static", "-Wl,-z,now"});
  } else if (!named) {
    command.push_back("-lcudart");
  }
}

Command relocatableLinkCommand(const Invocation &v, const Toolchain &tools, const std::vector<std::string> &objects,
                               const std::string &output) {
  Command command = {tools.linker, "-r", "-o", output};
  append(command, objects);
  append(command, v.linkerArguments);
  return command;
}

}  // namespace

std::vector<std::string> libraryFolderArguments(const Toolchain &tools) {
  return {"-L" + tools.libraryDirectory, "-Wl,-rpath," + tools.libraryDirectory};
}

// Several images with the same names inside are loaded into one process, so each refers to its own symbols.
Command imageLinkCommand(const Toolchain &tools, const std::vector<std::string> &objects, const std::string &output) {
  Command command = {tools.binDirectory + "/hwcc-link", "-shared", "-Wl,-Bsymbolic", "-Wl,-z,now"};
  append(command, objects);
  append(command, {"-L" + tools.libraryDirectory, "-lcudart", "-lm", "-o", output});
  return command;
}

Command relocatableImageCommand(const Toolchain &tools, const std::vector<std::string> &objects,
                                const std::string &output) {
  Command command = {tools.linker, "-r", "-o", output};
  append(command, objects);
  return command;
}

namespace {

// symbolAfter() is the device symbol that the line says `what` of; a function's copies for newer processors are with it
// and count for nothing.
std::optional<std::string_view> symbolAfter(std::string_view line, std::string_view what) {
  constexpr std::string_view devicePrefix = "__hwd_";
  const std::size_t found = line.find(what);
  if (found == line.npos) return {};
  std::string_view symbol = line.substr(found + what.size());
  if (symbol.starts_with(devicePrefix)) symbol.remove_prefix(devicePrefix.size());
  // A symbol of an architecture that is not the highest: compute_80.name.
  if (symbol.starts_with("compute_")) symbol.remove_prefix(std::min(symbol.find('.'), symbol.size() - 1) + 1);
  return symbol.find(".avx") == symbol.npos ? symbol : std::string_view();
}

}  // namespace

std::string explainUndefined(const std::string &output) {
  std::string text;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (const auto symbol = symbolAfter(line, "undefined hidden symbol: ")) {
      if (!symbol->empty()) text += "nvlink error   : Undefined reference to '" + std::string(*symbol) + "'\n";
    } else if (const auto twice = symbolAfter(line, "duplicate symbol: __hwd_")) {
      if (!twice->empty()) text += "nvlink error   : Multiple definition of '" + std::string(*twice) + "'\n";
    } else {
      const bool detail = line.empty() || line.starts_with(">>>") || line.find("linker command failed") != line.npos;
      if (!detail) text += line + "\n";
    }
  }
  return text;
}

bool bringsSharedRuntime(std::string_view argument) {
  if (argument == "-lcurand" || argument == "-lcuda") return true;
  const std::string_view name = argument.substr(argument.rfind('/') + 1);
  return name.starts_with("libcurand.so") || name.starts_with("libcuda.so");
}

Command linkCommand(const Invocation &v, const Toolchain &tools, const std::vector<std::string> &objects,
                    const std::string &output) {
  if (v.relocatableLink) return relocatableLinkCommand(v, tools, objects, output);
  Command command = {tools.linkDriver};
  if (tools.linksWithClang) {
    append(command, clangHostArguments(v));
  } else {
    append(command, v.hostArguments);
  }
  if (v.profile) command.push_back("-pg");
  if (v.hostDebug) command.push_back("-g");
  if (v.shared) command.push_back("-shared");
  command.push_back("-Wl,--start-group");
  append(command, objects);
  for (const std::string &argument : v.linkerArguments) append(command, {"-Xlinker", argument});
  append(command, v.linkArguments);
  // Our folder comes first: a toolkit's libcudart, named by habit with -L, does not know our kernels.
  append(command, libraryFolderArguments(tools));
  const bool sharedRuntime = needsSharedRuntime(v, tools, objects);
  appendUserLibraries(command, v, tools, sharedRuntime);
  appendRuntime(command, v, sharedRuntime);
  append(command, {"-Wl,--end-group", "-o", output});
  // hwcc-link does so itself. g++ adds its own runtime last, behind the one that has the functions of both.
  const bool openMp = std::ranges::find(v.hostArguments, "-fopenmp") != v.hostArguments.end();
  if (!tools.linksWithClang && openMp) command.push_back("-lomp");
  return tools.linksWithClang ? command : withOpenMpRuntime(command, tools.clang);
}

}  // namespace hostwarp::driver
