#include "tools/hostwarp/exhaustive.h"

#include <algorithm>
#include <utility>

namespace hostwarp::tool {
namespace {

template <class Clock>
void join(Clock &clock, const Clock &other) {
  for (const auto &[thread, steps] : other) clock[thread] = std::max(clock[thread], steps);
}

}  // namespace

// noteVain(): what a thread looks at before it waits for a change, it looks at again behind the change. So nothing need
// be tried before that look.
void ExhaustiveSearch::noteVain(std::vector<Step> &steps, const ScheduleEvent &event) {
  uint64_t left = event.number;
  for (auto step = steps.rbegin(); step != steps.rend() && left != 0; ++step) {
    if (step->who != event.who) continue;
    step->isVain = true;
    --left;
  }
}

// stepsOf() follows what comes before what. floors: for each step the first one that is not of an earlier launch.
std::vector<ExhaustiveSearch::Step> ExhaustiveSearch::stepsOf(const ScheduleLog &log, std::vector<size_t> &floors) {
  std::vector<Step> steps;
  std::set<Thread> pending;
  std::map<Thread, Clock> clocks;
  size_t floor = 0;
  std::set<uint64_t> running;
  const auto meet = [&](const std::vector<Thread> &threads) {
    Clock all;
    for (const Thread &thread : threads) join(all, clocks[thread]);
    for (const Thread &thread : threads) clocks[thread] = all;
  };
  for (const ScheduleEvent &event : log.events) {
    const Thread who = event.who;
    std::vector<Thread> threads;
    switch (event.kind) {
      case 'L':
        if (running.empty()) floor = steps.size();
        running.insert(who.launch);
        break;
      case 'N':
        running.erase(who.launch);
        break;
      case 'P':
        pending.insert(who);
        break;
      case 'B':
        noteVain(steps, event);
        break;
      case 'G':
        if (!steps.empty()) join(clocks[who], steps.back().after);
        break;
      case 'M':
        for (const uint64_t thread : event.threads) threads.push_back({who.launch, thread});
        meet(threads);
        break;
      case 'A':
        for (const auto &[thread, clock] : clocks)
          if (thread.launch == who.launch) threads.push_back(thread);
        meet(threads);
        break;
      case 'X': {
        Step step{who, event.operation, {pending.begin(), pending.end()}, 0, false, clocks[who], {}};
        step.ordinal = ++clocks[who][who];
        for (size_t i = floor; i < steps.size(); ++i)
          if (!steps[i].isVain && steps[i].operation.isDependent(step.operation)) join(clocks[who], steps[i].after);
        step.after = clocks[who];
        pending.erase(who);
        steps.push_back(std::move(step));
        floors.push_back(floor);
        break;
      }
      default:
        break;
    }
  }
  return steps;
}

// initialsOf() is the threads that may begin what follows `node` without the step there, up to the later one.
std::set<Thread> ExhaustiveSearch::initialsOf(const std::vector<Step> &steps, size_t node, size_t later) {
  std::vector<const Step *> rest;
  std::set<Thread> seen, initials;
  for (size_t i = node + 1; i <= later; ++i) {
    const Step &step = steps[i];
    if (i != later && step.isAfter(steps[node])) continue;
    const bool isFirst = seen.insert(step.who).second;
    if (isFirst && std::ranges::none_of(rest, [&](const Step *each) { return step.isAfter(*each); }))
      initials.insert(step.who);
    rest.push_back(&step);
  }
  return initials;
}

// want() has the search try at `node` what brings the later step before the one that was chosen there.
void ExhaustiveSearch::want(size_t node, const std::vector<Step> &steps, size_t later) {
  Node &at = nodes_[node];
  const std::set<Thread> initials = initialsOf(steps, node, later);
  const auto isTried = [&](const Thread &thread) { return at.wanted.contains(thread) || at.asleep.contains(thread); };
  if (std::ranges::any_of(initials, isTried)) return;
  const auto isEnabled = [&](const Thread &thread) { return std::ranges::binary_search(at.enabled, thread); };
  const auto able = std::ranges::find_if(initials, isEnabled);
  if (able != initials.end())
    at.wanted.insert(*able);
  else
    at.wanted.insert(at.enabled.begin(), at.enabled.end());
}

// findRaces() looks for steps that depend on each other, and that nothing else puts in this order.
void ExhaustiveSearch::findRaces(const std::vector<Step> &steps, const std::vector<size_t> &floors) {
  for (size_t later = 0; later < steps.size(); ++later)
    for (size_t earlier = floors[later]; earlier < std::min(later, nodes_.size()); ++earlier) {
      const Step &first = steps[earlier], &second = steps[later];
      if (first.isVain || first.who == second.who || !first.operation.isDependent(second.operation)) continue;
      const auto seen = second.before.find(first.who);
      if (seen == second.before.end() || seen->second < first.ordinal) want(earlier, steps, later);
    }
}

// asleepBehind(): what has been tried at the node, or slept there, and changes places with what is chosen now.
std::map<Thread, Operation> ExhaustiveSearch::asleepBehind(const Node &node) const {
  std::map<Thread, Operation> asleep;
  for (const auto *some : {&node.asleep, &node.done})
    for (const auto &[thread, operation] : *some)
      if (thread != *node.chosen && !operation.isDependent(node.operation)) asleep.emplace(thread, operation);
  return asleep;
}

bool ExhaustiveSearch::take(const ScheduleLog &log) {
  std::vector<size_t> floors;
  const std::vector<Step> steps = stepsOf(log, floors);
  if (log.limits.contains("diverged") || steps.size() < nodes_.size()) return false;
  for (size_t i = 0; i < nodes_.size(); ++i) {
    if (steps[i].who != *nodes_[i].chosen || steps[i].enabled != nodes_[i].enabled) return false;
    nodes_[i].operation = steps[i].operation;
  }
  for (size_t i = nodes_.size(); i < steps.size(); ++i) {
    Node node{.enabled = steps[i].enabled,
              .chosen = steps[i].who,
              .operation = steps[i].operation,
              .wanted = {steps[i].who},
              .done = {},
              .asleep = {}};
    if (!nodes_.empty()) node.asleep = asleepBehind(nodes_.back());
    if (!node.asleep.contains(steps[i].who)) {
      nodes_.push_back(std::move(node));
      continue;
    }
    // From here on the run is like an earlier one. Another thread may lead to something new.
    const auto awake =
        std::ranges::find_if(node.enabled, [&](const Thread &each) { return !node.asleep.contains(each); });
    findRaces(steps, floors);
    if (awake == node.enabled.end()) return true;
    node.wanted = {*awake};
    node.chosen.reset();
    nodes_.push_back(std::move(node));
    return true;
  }
  findRaces(steps, floors);
  return true;
}

std::optional<std::vector<Thread>> ExhaustiveSearch::next() {
  if (!std::exchange(hasBegun_, true)) return std::vector<Thread>();
  while (!nodes_.empty()) {
    Node &node = nodes_.back();
    if (node.chosen) node.done.emplace(*std::exchange(node.chosen, std::nullopt), node.operation);
    const auto next = std::ranges::find_if(
        node.wanted, [&](const Thread &each) { return !node.done.contains(each) && !node.asleep.contains(each); });
    if (next != node.wanted.end()) {
      node.chosen = *next;
      std::vector<Thread> picks;
      for (const Node &each : nodes_) picks.push_back(*each.chosen);
      return picks;
    }
    nodes_.pop_back();
  }
  return std::nullopt;
}

}  // namespace hostwarp::tool
