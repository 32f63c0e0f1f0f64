#include "compiler/driver/hwcc_path.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "compiler/driver/process.h"

namespace hostwarp::driver {

std::string hwccPath() {
  if (const char *named = secure_getenv("HOSTWARP_HWCC")) return named;
  Dl_info info;
  if (!dladdr(reinterpret_cast<const void *>(&hwccPath), &info)) return "hwcc";
  std::error_code ignored;
  const std::filesystem::path library = std::filesystem::canonical(info.dli_fname, ignored);
  return (library.parent_path().parent_path() / "bin" / "hwcc").string();
}

namespace {

bool collect(const Expected<Process> &process, std::string &log) {
  if (!process.ok()) {
    log += process.message() + "\n";
    return false;
  }
  while (readAvailable(process->errorPipe, log)) {
  }
  close(process->errorPipe);
  const ExitStatus status = waitFor(*process, [] {});
  if (!status.lost.empty())
    log += "hostwarp: how the compiler ended is not known (" + status.lost +
           "): this program ignores SIGCHLD or waits for all children itself, and the compiler was stopped\n";
  return status.succeeded();
}

}  // namespace

bool runCompiler(const std::vector<std::string> &command, std::string &log) {
  return collect(startProcess(command, true), log);
}

bool runHwcc(std::vector<std::string> words, std::string &log) {
  words.insert(words.begin(), hwccPath());
  return collect(startReporting(std::move(words)), log);
}

}  // namespace hostwarp::driver
