// Reads every file of the folders that are its arguments, without libFuzzer. What must not be ends it by a signal; the
// last line then names the file.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/reader_fuzz/reader.h"

namespace {

std::vector<std::filesystem::path> filesOf(const char *folder) {
  std::vector<std::filesystem::path> files;
  for (const auto &entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

void replay(const std::filesystem::path &path) {
  std::printf("%s\n", path.c_str());
  std::fflush(stdout);
  std::ifstream file(path, std::ios::binary);
  const std::string input(std::istreambuf_iterator<char>(file), {});
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(input.data()), input.size());
}

}  // namespace

int main(int argc, char **argv) {
  size_t count = 0;
  for (int i = 1; i < argc; ++i) {
    for (const auto &path : filesOf(argv[i])) {
      replay(path);
      ++count;
    }
  }
  if (count == 0) std::printf("no inputs\n");
  return count == 0 ? 1 : 0;
}
