// What a campaign has come to, in words.
#ifndef HOSTWARP_TOOLS_HOSTWARP_CAMPAIGN_REPORT_H
#define HOSTWARP_TOOLS_HOSTWARP_CAMPAIGN_REPORT_H

#include <map>
#include <string>
#include <vector>

#include "tools/hostwarp/campaign.h"

namespace hostwarp::tool {

inline constexpr const char *otherOutput = "another output than in order";

// Seen is in how many schedules an event has come, and the first of them.
struct Seen {
  std::string first;
  uint64_t times = 0;
};

// eventsOf() is what has gone wrong in any of them, and outputs that differ.
std::map<std::string, Seen> eventsOf(const Campaign &campaign);

// Verdict is how much the campaign proves: SETTLED, BOUNDED, SAMPLED or INCOMPLETE, with what stands behind it.
struct Verdict {
  std::string grade, because;
};
Verdict verdictOf(const Campaign &campaign);

// missedAtMost() is the probability that PCT misses a bug of the depth in all of its runs.
double missedAtMost(uint64_t threads, uint64_t steps, uint64_t depth, uint64_t runs);

// commandText() is the program's, as a shell takes it.
std::string commandText(const std::vector<std::string> &command);

}  // namespace hostwarp::tool

#endif  // HOSTWARP_TOOLS_HOSTWARP_CAMPAIGN_REPORT_H
