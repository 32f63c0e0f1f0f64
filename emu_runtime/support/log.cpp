#include "emu_runtime/support/log.h"

#include <sys/uio.h>
#include <unistd.h>

#include <mutex>
#include <set>
#include <string>

namespace hostwarp {

void logLine(std::string_view text) {
  static constexpr std::string_view prefix = "hostwarp: ", newline = "\n";
  auto part = [](std::string_view s) { return iovec{const_cast<char *>(s.data()), s.size()}; };
  const iovec parts[] = {part(prefix), part(text), part(newline)};
  // Nothing can be done about a stderr that takes no output.
  [[maybe_unused]] ssize_t written = writev(STDERR_FILENO, parts, 3);
}

void logOnce(std::string_view key, std::string_view text) {
  // Never destroyed: threads may still log while the process exits.
  static auto *mutex = new std::mutex;
  static auto *seen = new std::set<std::string, std::less<>>;
  {
    std::lock_guard lock(*mutex);
    if (!seen->emplace(key).second) return;
  }
  logLine(text);
}

cudaError_t unsupported(const char *name) {
  logOnce(name, std::string(name) + " is not supported yet and returns cudaErrorNotSupported");
  return cudaErrorNotSupported;
}

cudaError_t unsupported(const char *name, const char *reason) {
  logOnce(name, std::string(name) + " is not supported (" + reason + ") and returns cudaErrorNotSupported");
  return cudaErrorNotSupported;
}

}  // namespace hostwarp
