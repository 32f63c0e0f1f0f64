#include "tools/hostwarp/minimise.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>

namespace hostwarp::tool {
namespace {

std::string base36(uint64_t value) {
  char text[16];
  return {text, std::to_chars(text, text + sizeof text, value, 36).ptr};
}

}  // namespace

Preemptions preemptionsOf(const std::string &schedule) {
  Preemptions list;
  std::istringstream text(schedule.substr(std::min<size_t>(schedule.size(), 2)));
  for (std::string one; std::getline(text, one, '.');) list.push_back(one);
  return list;
}

std::string scheduleOf(const Preemptions &preemptions) {
  std::string text = "p:";
  for (const std::string &one : preemptions) text += (text.size() > 2 ? "." : "") + one;
  return text;
}

Preemptions minimise(Preemptions preemptions, const Fails &fails, size_t attempts) {
  size_t pieces = 2;
  while (!preemptions.empty() && attempts > 0) {
    pieces = std::min(pieces, preemptions.size());
    bool isShorter = false;
    for (size_t piece = 0; piece < pieces && attempts > 0 && !isShorter; ++piece) {
      const size_t first = preemptions.size() * piece / pieces, last = preemptions.size() * (piece + 1) / pieces;
      Preemptions rest(preemptions.begin(), preemptions.begin() + static_cast<ptrdiff_t>(first));
      rest.insert(rest.end(), preemptions.begin() + static_cast<ptrdiff_t>(last), preemptions.end());
      --attempts;
      const std::optional<Preemptions> used = fails(rest);
      if (!used) continue;
      // Some may have lost their stop with the others.
      preemptions = used->size() < rest.size() ? *used : rest;
      isShorter = true;
    }
    if (isShorter) {
      pieces = std::max<size_t>(pieces - 1, 2);
    } else if (pieces == preemptions.size()) {
      break;
    } else {
      pieces *= 2;
    }
  }
  return preemptions;
}

std::optional<Preemptions> singlePreemption(const std::vector<ScheduleEvent> &stops, const Fails &fails,
                                            size_t attempts) {
  std::set<Thread> threads;
  for (const ScheduleEvent &stop : stops) threads.insert(stop.who);
  for (const ScheduleEvent &stop : stops)
    for (const Thread &to : threads) {
      if (to == stop.who || to.launch != stop.who.launch) continue;
      if (attempts-- == 0) return std::nullopt;
      const Preemptions one = {base36(stop.who.launch) + "-" + base36(stop.who.number) + "-" + base36(stop.number) +
                               "-" + base36(to.number)};
      if (fails(one)) return one;
    }
  return std::nullopt;
}

}  // namespace hostwarp::tool
