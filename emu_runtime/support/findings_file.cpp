#include "emu_runtime/support/findings_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "emu_runtime/support/log.h"
#include "emu_runtime/support/options.h"

namespace hostwarp {

void noteFinding(const std::string &line) {
  const std::string &path = optionText(Option::FINDINGS);
  if (path.empty()) return;
  const std::string text = line + "\n";
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const bool written = file >= 0 && write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  if (!written) logOnce("HOSTWARP_FINDINGS", "cannot write " + path + ": " + std::strerror(errno));
  if (file >= 0) close(file);
}

}  // namespace hostwarp
