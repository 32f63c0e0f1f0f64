#include "compiler/driver/hwcc_path.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>

#include "compiler/driver/process.h"

namespace hostwarp::driver {

std::string hwccPath() {
  if (const char *named = std::getenv("HOSTWARP_HWCC")) return named;
  Dl_info info;
  if (!dladdr(reinterpret_cast<const void *>(&hwccPath), &info)) return "hwcc";
  std::error_code ignored;
  const std::filesystem::path library = std::filesystem::canonical(info.dli_fname, ignored);
  return (library.parent_path().parent_path() / "bin" / "hwcc").string();
}

bool runCompiler(const std::vector<std::string> &command, std::string &log) {
  const auto process = startProcess(command, true);
  if (!process.ok()) {
    log += process.message() + "\n";
    return false;
  }
  while (readAvailable(process->errorPipe, log)) {
  }
  const ExitStatus status = waitFor(process->pid, [] {});
  return status.code == 0 && status.signal == 0;
}

}  // namespace hostwarp::driver
