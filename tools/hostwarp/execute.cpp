#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "tools/hostwarp/commands.h"

namespace hostwarp::tool {
namespace {

constexpr int notFound = 127;  // as a shell says it
constexpr int notExecutable = 126;

// Programs that any nvcc has linked with libcudart.so.13 find ours first.
void prependLibraryPath() {
  const char *old = std::getenv("LD_LIBRARY_PATH");
  const std::string ours = installationRoot() + "/lib";
  setVariable("LD_LIBRARY_PATH", old != nullptr && *old != '\0' ? ours + ":" + old : ours);
}

}  // namespace

void setVariable(const char *name, const std::string &value) { setenv(name, value.c_str(), 1); }

int execute(Arguments command) {
  prependLibraryPath();
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
