#include <sys/personality.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "tools/hostwarp/commands.h"
#include "tools/hostwarp/environment.h"

namespace hostwarp::tool {
namespace {

constexpr int notFound = 127;  // as a shell says it
constexpr int notExecutable = 126;

// isToRepeat() tells whether all runs of the program are to come to the same.
bool isToRepeat() {
  const auto valueOf = [](const char *name) {
    const char *value = std::getenv(name);
    return std::string_view(value != nullptr ? value : "");
  };
  const std::string_view seed = valueOf("HOSTWARP_SEED");
  return (!seed.empty() && seed != "0") || !valueOf("HOSTWARP_SCHEDULE").empty() ||
         valueOf("HOSTWARP_BUILD") == "checked";
}

// fixAddresses() has the program that this process becomes lie at the same addresses in each run, where the system
// allows that: the program may print them, or find them in variables that it has never written.
void fixAddresses() {
  const int now = personality(0xffffffff);
  if (now >= 0) personality(static_cast<unsigned>(now) | ADDR_NO_RANDOMIZE);
}

}  // namespace

void setVariable(const char *name, const std::string &value) { setenv(name, value.c_str(), 1); }

int executeProgram(Arguments command) {
  for (const Variable &variable : programEnvironment()) setVariable(variable.name, variable.value);
  if (isToRepeat()) fixAddresses();
  return execute(command);
}

int execute(Arguments command) {
  std::vector<std::string> words(command.begin(), command.end());
  std::vector<char *> argv;
  for (std::string &word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  const int error = errno;
  fail(words[0] + ": " + std::strerror(error));
  return error == ENOENT ? notFound : notExecutable;
}

}  // namespace hostwarp::tool
