#include "tools/hostwarp/campaign_report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string_view>

namespace hostwarp::tool {
namespace {

// These do not stand in the way of a look at all schedules: they are what differs between them.
constexpr std::string_view explored[] = {"what atomic accesses give is used", "atomic sums of floating-point numbers",
                                         "atomic updates of a place", "there are races", "it did not come to its end"};

std::string sentenceOf(const std::string &limit) {
#define HOSTWARP_LIMIT(name, sentence) \
  if (limit == #name) return sentence;
#include "tools/hostwarp/schedule_limits.def"
#undef HOSTWARP_LIMIT
  return limit;
}

// unexplored() is why there may be more than the schedules show, or "".
std::string unexplored(const Campaign &campaign) {
  std::set<std::string> reasons;
  for (const Outcome &outcome : campaign.outcomes) {
    for (const std::string &limit : outcome.limits) reasons.insert(sentenceOf(limit));
    for (const std::string &sentence : outcome.unsettled)
      if (std::ranges::none_of(explored,
                               [&](std::string_view part) { return sentence.find(part) != std::string::npos; }))
        reasons.insert(sentence);
  }
  return reasons.empty() ? "" : *reasons.begin();
}

std::string notChecked(const Campaign &campaign) {
  for (const Outcome &outcome : campaign.outcomes)
    if (outcome.isIncomplete && !outcome.isHanging)
      return outcome.incomplete.empty() ? "the program did not come to its end" : outcome.incomplete.front();
  return "";
}

bool isSettled(const Campaign &campaign) {
  const Outcome &inOrder = campaign.outcomes.front();
  const auto isLikeIt = [&](const Outcome &outcome) { return outcome.output == inOrder.output; };
  return inOrder.launches != 0 && inOrder.settled == inOrder.launches &&
         std::ranges::all_of(campaign.outcomes, isLikeIt);
}

// Pct is the runs with one depth.
struct Pct {
  uint64_t depth, steps, runs;
};

std::vector<Pct> pctRuns(const Campaign &campaign) {
  std::map<std::pair<uint64_t, uint64_t>, uint64_t> runs;
  for (const Outcome &outcome : campaign.outcomes) {
    unsigned long long seed = 0, depth = 0, steps = 0;
    if (std::sscanf(outcome.schedule.c_str(), "pct:%llu:%llu:%llu", &seed, &depth, &steps) == 3) ++runs[{depth, steps}];
  }
  std::vector<Pct> list;
  for (const auto &[key, count] : runs) list.push_back({key.first, key.second, count});
  return list;
}

std::string boundText(const Pct &pct, uint64_t threads) {
  char text[200];
  std::snprintf(
      text, sizeof text,
      "%llu PCT runs of depth %llu (%llu threads, up to %llu operations): a bug of that depth is missed with a "
      "probability of at most %.2g",
      static_cast<unsigned long long>(pct.runs), static_cast<unsigned long long>(pct.depth),
      static_cast<unsigned long long>(threads), static_cast<unsigned long long>(pct.steps),
      missedAtMost(threads, pct.steps, pct.depth, pct.runs));
  return text;
}

// boundOf() is what PCT's runs promise, or "" where they promise nothing.
std::string boundOf(const Campaign &campaign) {
  uint64_t threads = 0, operations = 0;
  for (const Outcome &outcome : campaign.outcomes) {
    threads = std::max(threads, outcome.threads);
    operations = std::max(operations, outcome.operations);
  }
  std::string text;
  for (const Pct &pct : pctRuns(campaign))
    if (threads != 0 && operations <= pct.steps) text += (text.empty() ? "" : "; ") + boundText(pct, threads);
  return text;
}

std::string schedulesText(uint64_t count) { return std::to_string(count) + (count == 1 ? " schedule" : " schedules"); }

}  // namespace

double missedAtMost(uint64_t threads, uint64_t steps, uint64_t depth, uint64_t runs) {
  const double one =
      1 / (static_cast<double>(threads) * std::pow(static_cast<double>(steps), static_cast<double>(depth) - 1));
  return std::exp(static_cast<double>(runs) * std::log1p(-std::min(one, 1.0)));
}

std::map<std::string, Seen> eventsOf(const Campaign &campaign) {
  std::map<std::string, Seen> events;
  const Outcome &inOrder = campaign.outcomes.front();
  for (const Outcome &outcome : campaign.outcomes) {
    std::vector<std::string> mine = outcome.events();
    if (outcome.output != inOrder.output) mine.emplace_back(otherOutput);
    for (const std::string &event : mine) {
      Seen &seen = events[event];
      if (seen.times++ == 0) seen.first = outcome.schedule;
    }
  }
  return events;
}

Verdict verdictOf(const Campaign &campaign) {
  if (const std::string reason = notChecked(campaign); !reason.empty()) return {"INCOMPLETE", reason};
  if (isSettled(campaign))
    return {"SETTLED", "all schedules come to the same with this input: no launch depends on them"};
  const std::string reason = unexplored(campaign);
  const std::string count = schedulesText(campaign.outcomes.size());
  if (campaign.isExhausted && reason.empty())
    return {"SETTLED", "all schedules of this input, exhausted: " + std::to_string(campaign.outcomes.size() - 1) +
                           " that differ in what depends on their order"};
  if (!campaign.gaveUp.empty() || !reason.empty())
    return {"INCOMPLETE", count + ", not all: " + (reason.empty() ? sentenceOf(campaign.gaveUp) : reason)};
  if (const std::string bound = boundOf(campaign); !bound.empty()) return {"BOUNDED", bound};
  return {"SAMPLED", count};
}

std::string commandText(const std::vector<std::string> &command) {
  std::string text;
  for (const std::string &word : command) {
    const bool isPlain = !word.empty() && word.find_first_not_of(
                                              "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                              "0123456789_-+=:,./%@") == std::string::npos;
    text += (text.empty() ? "" : " ");
    if (isPlain) {
      text += word;
      continue;
    }
    text += '\'';
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += '\'';
  }
  return text;
}

}  // namespace hostwarp::tool
