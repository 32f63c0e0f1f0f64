#include "compiler/driver/link_launcher.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "compiler/driver/link.h"
#include "compiler/driver/openmp.h"

namespace hostwarp::driver {

namespace {

bool isStaticRuntime(std::string_view argument) {
  return argument == "-lcudart_static" || argument.ends_with("/libcudart_static.a");
}

}  // namespace

bool isLinkLauncher(const char *programName) { return std::string_view(programName).ends_with("hwcc-link"); }

std::vector<std::string> linkLauncherCommand(const Toolchain &tools, const std::vector<std::string> &arguments) {
  std::vector<std::string> command = {tools.clang, "-Qunused-arguments", "--ld-path=" + tools.linker};
  const std::vector<std::string> all = withOpenMpRuntime(arguments, tools.clang);
  command.insert(command.end(), all.begin(), all.end());
  for (const std::string &argument : libraryFolderArguments(tools))
    if (std::ranges::find(arguments, argument) == arguments.end()) command.push_back(argument);
  if (std::ranges::any_of(arguments, bringsSharedRuntime))
    std::ranges::replace_if(command, isStaticRuntime, "-lcudart");
  return command;
}

int runLinkLauncher(const std::vector<std::string> &arguments) {
  const Expected<Toolchain> tools = findToolchain({});
  if (!tools.ok()) {
    std::fprintf(stderr, "hwcc-link: %s\n", tools.message().c_str());
    return 1;
  }
  const std::vector<std::string> command = linkLauncherCommand(*tools, arguments);
  std::vector<char *> words;
  for (const std::string &word : command) words.push_back(const_cast<char *>(word.c_str()));
  words.push_back(nullptr);
  execv(words[0], words.data());
  std::fprintf(stderr, "hwcc-link: could not run '%s': %s\n", words[0], std::strerror(errno));
  return 1;
}

}  // namespace hostwarp::driver
