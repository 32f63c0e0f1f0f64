#include "tools/hostwarp/commands.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "hostwarp_commit.h"

namespace hostwarp::tool {
namespace {

int help(Arguments);
int version(Arguments) {
  std::puts(versionText().c_str());
  return 0;
}

struct Command {
  std::string_view name;
  int (*run)(Arguments);
  const char *arguments;
  const char *help;
};
constexpr Command commands[] = {
#define COMMAND(NAME, FUNCTION, ARGUMENTS, HELP) {NAME, FUNCTION, ARGUMENTS, HELP},
#define COMMAND_OPTION(COMMAND, SPELLINGS, VALUES, HELP)
#include "tools/hostwarp/commands.def"
#undef COMMAND_OPTION
#undef COMMAND
};

struct CommandOption {
  std::string_view command;
  const char *spellings;
  const char *help;
};
constexpr CommandOption commandOptions[] = {
#define COMMAND(NAME, FUNCTION, ARGUMENTS, HELP)
#define COMMAND_OPTION(COMMAND, SPELLINGS, VALUES, HELP) {COMMAND, SPELLINGS, HELP},
#include "tools/hostwarp/commands.def"
#undef COMMAND_OPTION
#undef COMMAND
};

const Command *findCommand(std::string_view name) {
  const auto *found = std::ranges::find(commands, name, &Command::name);
  return found == std::end(commands) ? nullptr : found;
}

bool hasOptions(std::string_view command) {
  return std::ranges::find(commandOptions, command, &CommandOption::command) != std::end(commandOptions);
}

void printOptions(std::string_view command) {
  for (const CommandOption &option : commandOptions)
    if (option.command == command) std::printf("  %-25s %s\n", option.spellings, option.help);
  if (command == "smi") smiFieldsHelp();
}

int helpOf(const Command &command) {
  std::printf("usage: hostwarp %s %s\n%s\n", command.name.data(), command.arguments, command.help);
  if (hasOptions(command.name)) std::puts("\noptions:");
  printOptions(command.name);
  if (command.name != "explore") return 0;
  std::puts("\nand those of `hostwarp check`:");
  printOptions("check");
  return 0;
}

int help(Arguments arguments) {
  if (!arguments.empty()) {
    const Command *command = findCommand(arguments[0]);
    return command != nullptr ? helpOf(*command) : fail("there is no command '" + std::string(arguments[0]) + "'");
  }
  std::puts(
      "hostwarp runs CUDA C++ on the CPU. Compile with hwcc, then run the program as it is or with `hostwarp run`.");
  std::puts("\nusage: hostwarp <command>");
  for (const Command &command : commands) {
    const std::string arguments = *command.arguments != '\0' ? std::string(command.arguments) + ": " : "";
    std::printf("  %-10s %s%s\n", command.name.data(), arguments.c_str(), command.help);
  }
  for (const Command &command : commands) {
    if (!hasOptions(command.name)) continue;
    const char *more = command.name == "explore" ? ", and those of `check`" : "";
    std::printf("\noptions of `hostwarp %s`%s:\n", command.name.data(), more);
    printOptions(command.name);
  }
  return 0;
}

bool asksForHelp(std::string_view name) { return name == "-h" || name == "--help"; }

}  // namespace

int fail(const std::string &complaint) {
  std::fprintf(stderr, "hostwarp: %s\n", complaint.c_str());
  return 2;
}

std::string versionText() {
  const std::string commit = HOSTWARP_COMMIT;
  return "hostwarp " HOSTWARP_VERSION + (commit.empty() ? "" : " (commit " + commit + ")");
}

std::string installationRoot() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::string("/usr") : self.parent_path().parent_path().string();
}

std::string cacheFolder() {
  const char *cache = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
  if (cache != nullptr && *cache == '/') return std::string(cache) + "/hostwarp";
  return home != nullptr && *home == '/' ? std::string(home) + "/.cache/hostwarp" : "";
}

int runAs(std::string_view program, Arguments arguments) {
  program.remove_prefix(program.rfind('/') + 1);
  if (program == "nvidia-smi") return smi(arguments);
  return program == "ptxas" ? ptxas(arguments) : runCommand(arguments);
}

int runCommand(Arguments arguments) {
  if (arguments.empty()) return help({}), 2;
  if (asksForHelp(arguments[0])) return help({});
  const Command *command = findCommand(arguments[0]);
  if (command == nullptr) return fail("unknown command '" + std::string(arguments[0]) + "'; see hostwarp help");
  arguments = arguments.subspan(1);
  return arguments.size() == 1 && asksForHelp(arguments[0]) ? helpOf(*command) : command->run(arguments);
}

}  // namespace hostwarp::tool
