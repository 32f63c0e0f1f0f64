#include "compiler/driver/other_libraries.h"

#include <set>
#include <sstream>
#include <string_view>

namespace hostwarp::driver {
namespace {

struct OtherLibrary {
  std::string_view start;
  const char *name;
  const char *package;  // of NVIDIA's, or null
  const char *remedy;
};
constexpr OtherLibrary otherLibraries[] = {
#define NVIDIA_LIBRARY(START, NAME, PACKAGE) {START, NAME, PACKAGE, nullptr},
#define OTHER_LIBRARY(START, NAME, REMEDY) {START, NAME, nullptr, REMEDY},
#include "compiler/driver/other_libraries.def"
#undef OTHER_LIBRARY
#undef NVIDIA_LIBRARY
};

// Around a name that was not found: clang's and gcc's words for a header, lld's and GNU ld's for a library.
struct Complaint {
  std::string_view before;
  std::string_view after;  // empty: the name goes on to the end of the line
};
constexpr Complaint complaints[] = {
    {"'", "' file not found"},
    {"fatal error: ", ": No such file or directory"},
    {"unable to find library -l", ""},
    {"cannot find -l", ""},
};

std::string missingName(const std::string &line) {
  for (const Complaint &complaint : complaints) {
    const std::size_t end = complaint.after.empty() ? line.size() : line.find(complaint.after);
    if (end == std::string::npos || end == 0) continue;
    const std::size_t start = line.rfind(complaint.before, end - 1);
    if (start == std::string::npos) continue;
    const std::string name = line.substr(start + complaint.before.size(), end - start - complaint.before.size());
    return name.substr(0, name.find(": "));
  }
  return "";
}

std::string noteOn(const std::string &missing) {
  for (const OtherLibrary &library : otherLibraries) {
    if (!missing.starts_with(library.start)) continue;
    const std::string whose = "hwcc note    : '" + missing + "' is of " + library.name;
    if (library.package == nullptr) return whose + ", which is not installed: " + library.remedy + "\n";
    return whose + ", a library of NVIDIA's (" + library.package +
           ") whose functions are code for GPUs; hostwarp has nothing in its place\n";
  }
  return "";
}

}  // namespace

std::string notesOnMissing(const std::string &output) {
  std::string notes;
  std::set<std::string> known;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);)
    if (const std::string missing = missingName(line); !missing.empty() && known.insert(missing).second)
      notes += noteOn(missing);
  return notes;
}

}  // namespace hostwarp::driver
