#include "emu_runtime/support/log.h"

#include <sys/uio.h>
#include <unistd.h>

#include <initializer_list>
#include <set>
#include <string>

#include "fibers/mutex.h"

namespace hostwarp {

// Nothing can be done about a stderr that takes no output, so results of writing are ignored.
static void writeParts(std::initializer_list<std::string_view> texts) {
  iovec parts[4];
  int count = 0;
  for (std::string_view text : texts) parts[count++] = {const_cast<char *>(text.data()), text.size()};
  [[maybe_unused]] ssize_t written = writev(STDERR_FILENO, parts, count);
}

void logLine(std::string_view text) { writeParts({"hostwarp: ", text, "\n"}); }
void writeLine(std::string_view text) { writeParts({text, "\n"}); }

void logOnce(std::string_view key, std::string_view text) {
  static constinit Mutex mutex;
  // Never destroyed: threads may still log while the process exits.
  static auto *seen HOSTWARP_PT_GUARDED_BY(mutex) = new std::set<std::string, std::less<>>;
  {
    MutexLock lock(mutex);
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
