// `hostwarp doctor`: everything that a kernel needs is looked at, in the order in which it would be missed.
#include <algorithm>
#include <cstdio>

#include "tools/hostwarp/commands.h"
#include "tools/hostwarp/diagnosis.h"

namespace hostwarp::tool {
namespace {

const char *nameOf(Health health) {
  switch (health) {
    case Health::Good:
      return "ok";
    case Health::Note:
      return "note";
    case Health::Wrong:
      break;
  }
  return "WRONG";
}

// What is said on more than one line stays in its column.
std::string indented(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  constexpr std::string_view indent = "\n                     ";
  for (size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + indent.size()))
    text.replace(at, 1, indent);
  return text;
}

void print(const Diagnosis &diagnosis) {
  std::printf("  %-6s %-11s %s\n", nameOf(diagnosis.health), diagnosis.topic.data(), indented(diagnosis.text).c_str());
  if (!diagnosis.remedy.empty()) std::printf("                     mend it: %s\n", diagnosis.remedy.c_str());
}

}  // namespace

int doctor(Arguments arguments) {
  if (!arguments.empty()) return fail("doctor takes no arguments");
  std::printf("%s, %s\n", versionText().c_str(), installationRoot().c_str());
  Diagnoses found = {checkFiles(), checkRuntime()};
  checkEnvironment(found);
  // Without them nothing more can come of it.
  if (found[0].health == Health::Good) checkKernel(found);
  std::ranges::for_each(found, print);
  const auto wrong = std::ranges::count(found, Health::Wrong, &Diagnosis::health);
  if (wrong == 0) return std::puts("kernels compile and run"), 0;
  std::printf("%td %s wrong\n", wrong, wrong == 1 ? "thing is" : "things are");
  return 1;
}

}  // namespace hostwarp::tool
