#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tools/hostwarp/commands.h"

namespace hostwarp::tool {
namespace {

// GdbFlag is an option that gdb takes, with or without a value.
struct GdbFlag {
  std::string_view name;
  bool hasValue;
};
constexpr GdbFlag gdbFlags[] = {{"-ex", true},      {"-iex", true},  {"-x", true},     {"-batch", false},
                             {"--batch", false}, {"-tui", false}, {"--tui", false}, {"-q", false}};

struct DebugRequest {
  std::string gdb = "gdb";
  std::string build = "debug";
  std::vector<std::string_view> options;  // gdb's
};

const GdbFlag *findGdbFlag(std::string_view name) {
  for (const GdbFlag &flag : gdbFlags)
    if (flag.name == name) return &flag;
  return nullptr;
}

// takeOption() takes the option at the front, and its value; what is wrong, or "".
std::string takeOption(Arguments &arguments, DebugRequest &request) {
  const std::string_view name = arguments[0];
  arguments = arguments.subspan(1);
  if (name == "--check") return request.build = "checked", "";
  const GdbFlag *flag = findGdbFlag(name);
  if (flag == nullptr && name != "--gdb") return "unknown option '" + std::string(name) + "'; see hostwarp help";
  if (flag != nullptr) request.options.push_back(name);
  if (flag != nullptr && !flag->hasValue) return "";
  if (arguments.empty()) return "option '" + std::string(name) + "' needs a value";
  if (flag != nullptr)
    request.options.push_back(arguments[0]);
  else
    request.gdb = arguments[0];
  arguments = arguments.subspan(1);
  return "";
}

std::string scriptPath() { return installationRoot() + "/share/hostwarp/gdb/hostwarp.py"; }

}  // namespace

int debug(Arguments arguments) {
  if (arguments.size() == 1 && arguments[0] == "--script") return std::puts(scriptPath().c_str()), 0;
  DebugRequest request;
  while (!arguments.empty() && arguments[0].starts_with('-')) {
    if (arguments[0] == "--") {
      arguments = arguments.subspan(1);
      break;
    }
    if (const std::string complaint = takeOption(arguments, request); !complaint.empty()) return fail(complaint);
  }
  if (arguments.empty()) return fail("debug needs a program");
  setVariable("HOSTWARP_BUILD", request.build);
  setVariable("HOSTWARP_FORM", "fibers");  // a stack for each thread in the checked build, too
  // So that `next` stays on one thread of the operating system.
  if (std::getenv("HOSTWARP_WORKERS") == nullptr) setVariable("HOSTWARP_WORKERS", "1");
  const std::string script = scriptPath();
  std::vector<std::string_view> command = {request.gdb, "-q", "-x", script};
  command.insert(command.end(), request.options.begin(), request.options.end());
  command.emplace_back("--args");
  command.insert(command.end(), arguments.begin(), arguments.end());
  // gdb itself is not to look for libraries elsewhere; the program finds the runtime.
  const std::string library = installationRoot() + "/lib";
  const char *before = std::getenv("LD_LIBRARY_PATH");
  setVariable("LD_LIBRARY_PATH", before != nullptr && *before != '\0' ? library + ":" + before : library);
  return execute(command);
}

}  // namespace hostwarp::tool
