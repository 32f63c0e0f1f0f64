#include "emu_runtime/profile/forms.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "emu_runtime/support/log.h"
#include "emu_runtime/support/options.h"
#include "fibers/mutex.h"

namespace hostwarp::profile {
namespace {

constexpr const char *formNames[] = {"block", "shaped", "specialised", "fibers", "refused", "overlap"};
constexpr const char *levelNames[HW_ISA_COUNT] = {"baseline", "avx2", "avx512"};

// Counts are kept until the process exits. Never destroyed.
struct Counts {
  // By form, instruction set and mangled name.
  using Key = std::tuple<Form, uint32_t, std::string>;
  Mutex mutex;
  std::map<Key, uint64_t> unwritten HOSTWARP_GUARDED_BY(mutex);
};
Counts &counts() {
  static auto *counts = new Counts;
  return *counts;
}

std::string lineOf(const Counts::Key &key, uint64_t launches) {
  const auto &[form, level, name] = key;
  return std::to_string(launches) + " " + formNames[static_cast<int>(form)] + " " + levelNames[level] + " " + name +
         "\n";
}

// append() writes whole lines at once: processes of one program may share the file.
void append(const std::string &lines) {
  const std::string &path = optionText(Option::FORM_COUNTS);
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  const bool written = file >= 0 && write(file, lines.data(), lines.size()) == static_cast<ssize_t>(lines.size());
  if (!written) logOnce("HOSTWARP_FORM_COUNTS", "cannot write " + path + ": " + std::strerror(errno));
  if (file >= 0) close(file);
}

void writeRest() {
  std::string lines;
  const MutexLock lock(counts().mutex);
  for (auto &[key, launches] : counts().unwritten)
    if (const uint64_t more = std::exchange(launches, 0); more != 0) lines += lineOf(key, more);
  if (!lines.empty()) append(lines);
}

bool startCounting() {
  if (optionText(Option::FORM_COUNTS).empty()) return false;
  std::atexit(writeRest);
  return true;
}

}  // namespace

void countForm(const modules::Kernel &kernel, Form form, uint32_t level) {
  static const bool counting = startCounting();
  if (!counting) return;
  const MutexLock lock(counts().mutex);
  const auto [entry, isFirst] = counts().unwritten.try_emplace({form, level, kernel.code()->name}, 0);
  if (isFirst)
    append(lineOf(entry->first, 1));
  else
    ++entry->second;
}

}  // namespace hostwarp::profile
