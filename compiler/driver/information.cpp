#include "compiler/driver/information.h"

#include "compiler/driver/link.h"
#include "compiler/driver/option_table.h"
#include "compiler/driver/text.h"

#ifndef HOSTWARP_VERSION
#define HOSTWARP_VERSION "development"
#endif

namespace hostwarp::driver {
namespace {

const char *argumentOf(OptionKind kind) {
  switch (kind) {
    case OptionKind::Flag:
      return "";
    case OptionKind::Boolean:
      return " {true|false}";
    case OptionKind::Number:
      return " <number>";
    case OptionKind::List:
      return " <value>,...";
    case OptionKind::Words:
      return " <options>,...";
    default:
      return " <value>";
  }
}

std::string optionLine(const OptionSpec &option) {
  std::string left = "--" + std::string(option.longName);
  left += *option.allowed != '\0' ? " {" + join(splitList(option.allowed), "|") + "}" : argumentOf(option.kind);
  if (left.size() < 58) left.resize(58, ' ');
  const std::string_view help = helpOf(option);
  const std::string below = help.empty() ? "" : "        " + std::string(help) + "\n";
  return "  " + left + " (-" + option.shortName + ")\n" + below;
}

// architectureLines() names every architecture, because configure scripts look for compute_XX in this text.
std::string architectureLines() {
  std::string text;
  for (const int name : listedArchitectures())
    text += "  compute_" + std::to_string(name) + "  sm_" + std::to_string(name) + "\n";
  return text;
}

}  // namespace

std::string helpText() {
  std::string text =
      "hwcc compiles CUDA C++ for the CPU. Its command line is nvcc's.\n\n"
      "Usage: hwcc [options] <files>\n\n"
      "  .cu                    host and device code; the device code becomes code of the CPU\n"
      "  .c .cc .cpp .cxx       host code, for the host compiler (-ccbin, else g++)\n"
      "  .o .a .so              given to the linker\n\n"
      "Without -c, -lib, -E and the like the result is an executable, a.out or what -o names. Options that only "
      "concern a\n"
      "GPU's code are accepted and have no effect. Options of the host compiler that begin with -W, -f or -m are "
      "handed on.\n\n"
      "Options:\n";
  for (const OptionSpec &option : allOptions()) text += optionLine(option);
  return text + "\nGPU architectures:\n" + architectureLines();
}

std::string versionText() {
  return "hwcc: hostwarp CUDA C++ compiler driver, version " HOSTWARP_VERSION
         "\n"
         "In the place of nvcc: NVIDIA (R) Cuda compiler driver\n"
         "Cuda compilation tools, release 13.0, V13.0.88\n"
         "Build hostwarp_" HOSTWARP_VERSION "\n";
}

std::string architectureText(const Invocation &invocation) {
  std::string text;
  for (const int name : listedArchitectures()) {
    const std::string number = std::to_string(name);
    if (invocation.listCodeNames && invocation.listVirtualNames)
      text += "arch=compute_" + number + ",code=sm_" + number + "\n";
    else
      text += (invocation.listCodeNames ? "sm_" : "compute_") + number + "\n";
  }
  return text;
}

std::string variablesText(const Invocation &invocation, const Toolchain &tools) {
  std::string libraries;
  for (const std::string &argument : libraryFolderArguments(tools)) libraries += " " + quoteForShell(argument);
  const char *path = std::getenv("PATH");
  const std::string architecture = std::to_string(invocation.architectures.target().macro / 10);
  std::string text;
  const auto line = [&text](const std::string &name, const std::string &value) {
    text += "#$ " + name + "=" + value + "\n";
  };
  line("_CUDART_", "cudart");
  line("_HERE_", tools.binDirectory);
  line("_THERE_", tools.binDirectory);
  line("TOP", tools.root);
  // No such folder is needed; CMake derives the toolkit's root from its name.
  line("NVVMIR_LIBRARY_DIR", tools.root + "/nvvm/libdevice");
  line("PATH", tools.binDirectory + ":" + (path != nullptr ? path : ""));
  line("INCLUDES", quoteForShell("-I" + tools.includeDirectory) + "  ");
  line("LIBRARIES", " " + libraries);
  line("HWCC_FLAGS", "-arch compute_" + architecture);
  return text;
}

}  // namespace hostwarp::driver
