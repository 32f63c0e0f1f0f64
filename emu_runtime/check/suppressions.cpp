#include "emu_runtime/check/suppressions.h"

#include <algorithm>
#include <fstream>
#include <vector>

#include "emu_runtime/support/log.h"
#include "emu_runtime/support/options.h"

namespace hostwarp::check {

namespace {

struct Suppression {
  std::string kind, part;  // no kind: any
};

std::string trimmed(const std::string &text) {
  const size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t\r");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

std::vector<Suppression> readSuppressions() {
  std::vector<Suppression> all;
  const std::string &path = optionText(Option::CHECK_SUPPRESSIONS);
  if (path.empty()) return all;
  std::ifstream file(path);
  if (!file) logLine("the suppressions in " + path + " cannot be read: all findings are told of");
  for (std::string line; std::getline(file, line);) {
    line = trimmed(line);
    if (line.empty() || line[0] == '#') continue;
    // Names of functions have colons, too: those in pairs.
    size_t colon = line.find(':');
    if (colon != std::string::npos && line.compare(colon, 2, "::") == 0) colon = std::string::npos;
    if (colon == std::string::npos)
      all.push_back({"", line});
    else
      all.push_back({trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1))});
  }
  return all;
}

}  // namespace

bool isSuppressed(const std::string &kind, const std::string &text) {
  static const auto *all = new std::vector<Suppression>(readSuppressions());
  return std::ranges::any_of(*all, [&](const Suppression &each) {
    return kind.starts_with(each.kind) && text.find(each.part) != std::string::npos;
  });
}

bool concernsKernel(const std::string &thread) {
  const std::string &wanted = optionText(Option::CHECK_KERNELS);
  if (wanted.empty()) return true;
  for (size_t start = 0; start <= wanted.size();) {
    const size_t end = std::min(wanted.find(';', start), wanted.size());
    if (end != start && thread.find(wanted.substr(start, end - start)) != std::string::npos) return true;
    start = end + 1;
  }
  return false;
}

}  // namespace hostwarp::check
