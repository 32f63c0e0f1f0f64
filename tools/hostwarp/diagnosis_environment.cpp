#include <dlfcn.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "emu_runtime/support/options.h"
#include "tools/hostwarp/commands.h"
#include "tools/hostwarp/diagnosis.h"

namespace hostwarp::tool {
namespace {

namespace fs = std::filesystem;

std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::vector<std::string> foldersIn(const std::string &list) {
  std::vector<std::string> folders;
  for (size_t start = 0; start < list.size();) {
    const size_t end = std::min(list.find(':', start), list.size());
    if (end > start) folders.push_back(list.substr(start, end - start));
    start = end + 1;
  }
  return folders;
}

// findInPath() is the file that a shell would run, with its links resolved; empty if there is none.
std::string findInPath(const std::string &program) {
  for (const std::string &folder : foldersIn(variable("PATH"))) {
    const fs::path candidate = fs::path(folder) / program;
    std::error_code error;
    if (access(candidate.c_str(), X_OK) == 0 && fs::is_regular_file(candidate, error))
      return fs::canonical(candidate, error);
  }
  return "";
}

void checkPath(Diagnoses &found) {
  const std::string bin = installationRoot() + "/bin";
  const std::string hwcc = findInPath("hwcc"), nvcc = findInPath("nvcc");
  const std::string prepend = "export PATH=" + bin + ":$PATH";
  if (hwcc.empty()) {
    found.push_back({Health::Note, "PATH", "has no hwcc", prepend});
  } else if (std::error_code error; !fs::equivalent(hwcc, bin + "/hwcc", error)) {
    found.push_back({Health::Note, "PATH", "hwcc is " + hwcc + ", of another installation", prepend});
  } else {
    found.push_back({Health::Good, "PATH", "hwcc is " + hwcc, ""});
  }
  if (std::error_code error; !nvcc.empty() && !fs::equivalent(nvcc, bin + "/hwcc", error))
    found.push_back({Health::Note, "PATH", "nvcc is " + nvcc + ", which is not hostwarp's",
                     "make NVCC=hwcc, or export PATH=$(hostwarp toolkit)/bin:$PATH"});
}

// A program looks for its libraries in LD_LIBRARY_PATH before it looks where hwcc has told it to.
void checkLibraryPath(Diagnoses &found) {
  for (const std::string &folder : foldersIn(variable("LD_LIBRARY_PATH"))) {
    for (const char *name : {"libcudart.so.13", "libcuda.so.1"}) {
      const fs::path other = fs::path(folder) / name;
      std::error_code error;
      if (!fs::exists(other, error) || fs::equivalent(other, installationRoot() + "/lib/" + name, error)) continue;
      found.push_back({Health::Wrong, "libraries",
                       "LD_LIBRARY_PATH has programs load " + other.string() + " in the place of hostwarp's",
                       "unset LD_LIBRARY_PATH, or hostwarp run ./program"});
      return;
    }
  }
}

bool isKnown(std::string_view name) {
  constexpr std::string_view ofTools[] = {"HOSTWARP_CACHE", "HOSTWARP_CCCL", "HOSTWARP_HWCC"};
  if (std::ranges::find(ofTools, name) != std::end(ofTools)) return true;
  for (int i = 0; i < optionCount; ++i)
    if (name == optionInfo(i).variable) return true;
  return false;
}

// whatIsWrong() with a variable's value; empty if nothing is, or the variable is none of the runtime's.
std::string whatIsWrong(const std::string &name, const std::string &value) {
  for (int i = 0; i < optionCount; ++i) {
    if (name != optionInfo(i).variable) continue;
    if (optionInfo(i).option == Option::DEVICES) return unknownDevice(value);
    if (!isValid(optionInfo(i).option, value)) return "it takes: " + std::string(optionInfo(i).help);
  }
  return "";
}

void checkVariables(Diagnoses &found) {
  for (char **each = environ; *each != nullptr; ++each) {
    const std::string entry = *each, name = entry.substr(0, entry.find('='));
    if (!name.starts_with("HOSTWARP_") || name.size() == entry.size()) continue;
    const std::string wrong = whatIsWrong(name, entry.substr(name.size() + 1));
    if (!isKnown(name)) {
      found.push_back(
          {Health::Note, "variables", name + " is none of hostwarp's: hostwarp info lists them", "unset " + name});
    } else if (!wrong.empty()) {
      found.push_back({Health::Wrong, "variables", entry + " has no effect: " + wrong, "unset " + name});
    } else {
      found.push_back({Health::Good, "variables", entry + " is set", ""});
    }
  }
}

// canWriteInto() makes the folders up to it, as hwcc would, and asks whether files may be made there.
bool canWriteInto(const fs::path &folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  return access(folder.c_str(), W_OK | X_OK) == 0;
}

void checkCache(Diagnoses &found) {
  if (variable("HOSTWARP_CACHE") == "0") return;
  const fs::path folder = cacheFolder();
  if (folder.is_absolute() && canWriteInto(folder)) {
    found.push_back({Health::Good, "cache", folder.string(), ""});
    return;
  }
  found.push_back({Health::Note, "cache",
                   "cannot be written to, so hwcc compiles headers each time: " + folder.string(),
                   "export XDG_CACHE_HOME=/a/folder/that/can/be/written/to"});
}

void checkLimits(Diagnoses &found) {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    found.push_back({Health::Note, "limits", "addresses are limited (ulimit -v), and devices reserve more than memory",
                     "ulimit -v unlimited"});
}

void checkOtherPrograms(Diagnoses &found) {
  void *libdw = dlopen("libdw.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (libdw == nullptr)
    found.push_back({Health::Note, "libdw", "is not there, so faults name no source lines", "apt install libdw1"});
  else
    dlclose(libdw);
  if (findInPath("cmake").empty()) found.push_back({Health::Note, "CMake", "is not there", "apt install cmake make"});
}

}  // namespace

void checkEnvironment(Diagnoses &found) {
  checkPath(found);
  checkLibraryPath(found);
  checkVariables(found);
  checkCache(found);
  checkLimits(found);
  checkOtherPrograms(found);
}

}  // namespace hostwarp::tool
