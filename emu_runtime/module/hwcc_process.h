// Running hwcc while the program runs: for PTX of other compilers, links, and other builds of device code.
#ifndef HOSTWARP_EMU_RUNTIME_MODULE_HWCC_PROCESS_H
#define HOSTWARP_EMU_RUNTIME_MODULE_HWCC_PROCESS_H

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "emu_runtime/support/status.h"

namespace hostwarp::modules {

// TemporaryFolder is one that goes with the object, or when the process exits.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  bool exists() const { return !path_.empty(); }
  std::string file(const char *name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

// noTemporaryFolder is the error where there is none, or nothing can be written there.
extern const Status noTemporaryFolder;

std::string readFile(const std::string &path);
[[nodiscard]] bool writeFile(const std::string &path, std::string_view content);

// Child says whose child hwcc is: the program's, or nobody's, so that the program, where it waits for any child of its
// own, does not find this one.
enum class Child : uint8_t { Own, Nobodys };

// runHwcc() runs hwcc, whose output goes to the file `log`, and returns its exit status. hwcc has to be installed
// beside the runtime library, in the PATH, or named by HOSTWARP_HWCC. Blocks; thread-safe.
Expected<int> runHwcc(std::vector<std::string> words, const std::string &log, Child child = Child::Own);

}  // namespace hostwarp::modules

#endif  // HOSTWARP_EMU_RUNTIME_MODULE_HWCC_PROCESS_H
