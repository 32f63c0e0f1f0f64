// What comparing has come to, for people and as JSON.
#ifndef HOSTWARP_TOOLS_HOSTWARP_COMPARE_REPORT_H
#define HOSTWARP_TOOLS_HOSTWARP_COMPARE_REPORT_H

#include <optional>
#include <string>
#include <vector>

#include "tools/hostwarp/compare/explanation.h"
#include "tools/hostwarp/compare/walk.h"

namespace hostwarp::tool::compare {

struct Report {
  std::vector<std::string> command;
  std::string first, second;  // the runs' settings
  Comparison comparison;
  std::optional<Explanation> explanation;
  std::string note;  // that the runs have printed different things, or what one has said at last; or ""
};

// toText() has lines for a terminal, toJson() an object. statusOf() is the exit status: 0, the same; 1, different; 2,
// not compared.
std::string toText(const Report &report);
std::string toJson(const Report &report);
int statusOf(const Comparison &comparison);

}  // namespace hostwarp::tool::compare

#endif  // HOSTWARP_TOOLS_HOSTWARP_COMPARE_REPORT_H
