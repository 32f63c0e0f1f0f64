#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "tools/hostwarp/commands.h"
#include "tools/hostwarp/environment.h"

namespace hostwarp::tool {
namespace {

constexpr int notFound = 127;  // as a shell says it
constexpr int notExecutable = 126;

}  // namespace

void setVariable(const char *name, const std::string &value) { setenv(name, value.c_str(), 1); }

int executeProgram(Arguments command) {
  for (const Variable &variable : programEnvironment()) setVariable(variable.name, variable.value);
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
