// Runs one case of a group: `program CASE (--write|--check) FILE [--budget MS]`; `program --list` names the cases.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "case.h"

namespace bench {

std::vector<Case> &cases() {
  static std::vector<Case> all;
  return all;
}

int Run::report() {
  if (!judged_) fail("the case hands over no result");
  if (failed_ || times_.empty()) return 1;
  std::sort(times_.begin(), times_.end());
  std::printf("best %.6g ms\nmedian %.6g ms\n", times_.front(), times_[times_.size() / 2]);
  return 0;
}

void Run::write(const void *values, size_t bytes) {
  std::ofstream file(path_, std::ios::binary);
  file.write(static_cast<const char *>(values), std::streamsize(bytes));
  if (!file.flush()) fail("cannot write " + path_);
}

std::vector<char> Run::read() const {
  std::ifstream file(path_, std::ios::binary | std::ios::ate);
  if (!file) return {};
  std::vector<char> bytes(size_t(file.tellg()));
  file.seekg(0);
  file.read(bytes.data(), std::streamsize(bytes.size()));
  return bytes;
}

void Run::fail(const std::string &message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  failed_ = true;
}

}  // namespace bench

static int usage() {
  std::fprintf(stderr, "usage: CASE (--write|--check) FILE [--budget MS] | --list\n");
  return 2;
}

int main(int argc, char **argv) {
  if (argc == 2 && std::strcmp(argv[1], "--list") == 0) {
    for (const bench::Case &each : bench::cases()) std::printf("%s\n", each.name);
    return 0;
  }
  if (argc != 4 && argc != 6) return usage();
  const double budgetMs = argc == 6 ? std::atof(argv[5]) : 300;
  const bool write = std::strcmp(argv[2], "--write") == 0;
  for (const bench::Case &each : bench::cases()) {
    if (std::strcmp(each.name, argv[1]) != 0) continue;
    bench::Run run(write ? bench::Run::Mode::write : bench::Run::Mode::check, argv[3], budgetMs);
    each.function(run);
    return run.report();
  }
  return usage();
}
