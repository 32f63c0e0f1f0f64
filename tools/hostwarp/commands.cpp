#include "tools/hostwarp/commands.h"

#include <cstdio>
#include <filesystem>
#include <system_error>

namespace hostwarp::tool {
namespace {

int help(Arguments);
int version(Arguments) {
  std::puts("hostwarp " HOSTWARP_VERSION);
  return 0;
}

int toolkit(Arguments) {
  std::printf("%s/share/hostwarp/toolkit\n", installationRoot().c_str());
  return 0;
}

struct Command {
  std::string_view name;
  int (*run)(Arguments);
  const char *help;
};
constexpr Command commands[] = {
    {"info", info, "the devices, limits, engine and options that a program started now would get"},
    {"devices", devices, "the GPUs that hostwarp can be"},
    {"run", run, "[options] program [arguments]: run a CUDA program on this machine's CPU"},
    {"check", check,
     "[options] program [arguments]: run it and tell of races, accesses out of bounds and to freed memory; exits with "
     "1 then"},
    {"explore", explore, "[options] program [arguments]: check it with several schedules, and say which of them fail"},
    {"explain", explain,
     "file...: which form each kernel of a program runs in, and what is not done as vectors, and why"},
    {"sanitizer", sanitizer, "[options] program [arguments]: check with compute-sanitizer's options and output"},
    {"trace", trace, "[options] program [arguments]: run it and write a timeline for ui.perfetto.dev"},
    {"smi", smi, "what nvidia-smi says: devices, their memory, and the processes that use them"},
    {"toolkit", toolkit, "print the folder that stands for a CUDA toolkit: make CUDA_PATH=$(hostwarp toolkit)"},
    {"--version", version, "print the version"},
    {"help", help, "this text"},
};

int help(Arguments) {
  std::puts(
      "hostwarp runs CUDA C++ on the CPU. Compile with hwcc, then run the program as it is or with `hostwarp run`.");
  std::puts("\nusage: hostwarp <command>");
  for (const Command &command : commands) std::printf("  %-10s %s\n", command.name.data(), command.help);
  std::puts("\noptions of `hostwarp run`:");
  runHelp();
  std::puts("\noptions of `hostwarp check`:");
  checkHelp();
  std::puts("\noptions of `hostwarp explore`, and those of `check`:");
  exploreHelp();
  std::puts("\noptions of `hostwarp sanitizer`:");
  sanitizerHelp();
  std::puts("\noptions of `hostwarp trace`:");
  traceHelp();
  std::puts("\noptions of `hostwarp smi`:");
  smiHelp();
  return 0;
}

bool asksForHelp(std::string_view name) { return name == "-h" || name == "--help"; }

}  // namespace

int fail(const std::string &complaint) {
  std::fprintf(stderr, "hostwarp: %s\n", complaint.c_str());
  return 2;
}

std::string installationRoot() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::string("/usr") : self.parent_path().parent_path().string();
}

int runCommand(Arguments arguments) {
  if (arguments.empty()) return help({}), 2;
  if (asksForHelp(arguments[0])) return help({});
  for (const Command &command : commands)
    if (arguments[0] == command.name) return command.run(arguments.subspan(1));
  return fail("unknown command '" + std::string(arguments[0]) + "'; see hostwarp help");
}

}  // namespace hostwarp::tool
