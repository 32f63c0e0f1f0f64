#include "tools/hostwarp/campaign.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <mutex>
#include <thread>

#include "tools/hostwarp/exhaustive.h"

namespace hostwarp::tool {
namespace {

using Clock = std::chrono::steady_clock;

// What runs beside the one in order, again and again, with other seeds.
constexpr const char *mixture[] = {"random", "pct:2", "urw", "pct:3"};

// Plan names the schedules of a campaign.
struct Plan {
  const CampaignRequest &request;
  uint64_t steps;

  std::string pct(uint64_t seed, uint64_t depth) const {
    return "pct:" + std::to_string(seed) + ":" + std::to_string(depth) + ":" + std::to_string(steps);
  }

  std::string named(const std::string &strategy, uint64_t seed) const {
    if (strategy == "pct") return pct(seed, request.depth);
    if (strategy.starts_with("pct:")) return pct(seed, static_cast<uint64_t>(strategy.back() - '0'));
    return strategy + ":" + std::to_string(seed);
  }

  // schedule() is the one of this number; 0 is in order.
  std::string schedule(uint64_t number) const {
    if (number == 0) return "order";
    if (request.strategy == "reverse") return "reverse";
    if (request.strategy != "mix") return named(request.strategy, request.firstSeed + number - 1);
    if (number == 1) return "reverse";
    const uint64_t kinds = std::size(mixture);
    return named(mixture[(number - 2) % kinds], request.firstSeed + (number - 2) / kinds);
  }

  uint64_t size() const {
    if (request.strategy == "order") return 1;
    return request.strategy == "reverse" ? 2 : request.runs == UINT64_MAX ? UINT64_MAX : request.runs + 1;
  }
};

// Runner runs schedules of a plan side by side.
class Runner {
 public:
  Runner(const CampaignRequest &request, const Results &results, std::string folder)
      : request_(request), results_(results), folder_(std::move(folder)), known_(results.read()) {
    const auto limit = std::chrono::duration<double>(request.seconds);
    if (request.seconds != 0) end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(limit);
  }

  bool isTimeOver() const { return request_.seconds != 0 && Clock::now() >= end_; }
  std::string traceOf(uint64_t number) const { return folder_ + "/" + std::to_string(number) + ".trace"; }

  // run() runs one, unless it is known. It always does so where its trace is needed.
  Outcome run(const std::string &schedule, uint64_t number, bool needsTrace) {
    if (!needsTrace) {
      const std::lock_guard lock(mutex_);
      if (const auto found = known_.find(schedule); found != known_.end()) return found->second;
    }
    ScheduleLog log;
    const std::string name = folder_ + "/" + std::to_string(number);
    Outcome outcome = runSchedule(request_.program, scheduleText(schedule, traceOf(0)), name, log);
    outcome.schedule = schedule;
    if (!needsTrace) std::remove((name + ".trace").c_str());
    const std::lock_guard lock(mutex_);
    if (known_.emplace(schedule, outcome).second) results_.append(outcome);
    return outcome;
  }

  // runAll() runs those of the plan that `isWanted`, from the second on.
  template <class IsWanted>
  void runAll(const Plan &plan, IsWanted isWanted, std::map<uint64_t, Outcome> &outcomes) {
    std::atomic<uint64_t> next{1};
    std::mutex mutex;
    const auto work = [&] {
      while (!isTimeOver()) {
        const uint64_t number = next.fetch_add(1);
        if (number >= plan.size()) return;
        if (!isWanted(number)) continue;
        Outcome outcome = run(plan.schedule(number), number, false);
        const std::lock_guard lock(mutex);
        outcomes[number] = std::move(outcome);
      }
    };
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < request_.jobs; ++i) threads.emplace_back(work);
    for (std::thread &thread : threads) thread.join();
  }

  // refresh() looks at what other parts have done.
  void refresh() {
    const std::lock_guard lock(mutex_);
    known_.merge(results_.read());
  }
  bool isKnown(const std::string &schedule) const { return known_.contains(schedule); }

 private:
  const CampaignRequest &request_;
  const Results &results_;
  std::string folder_;
  std::mutex mutex_;
  std::map<std::string, Outcome> known_;
  Clock::time_point end_{};
};

void writePicks(const std::string &path, const std::vector<Thread> &picks) {
  std::ofstream file(path);
  for (const Thread &pick : picks) file << pick.launch << ' ' << pick.number << '\n';
}

// searchAll() runs one schedule of each kind.
void searchAll(const CampaignRequest &request, Runner &runner, const std::string &folder, const Results &results,
               Campaign &campaign) {
  ExhaustiveSearch search;
  const std::string name = folder + "/all", picks = folder + "/picks";
  for (uint64_t done = 0; const auto next = search.next(); ++done) {
    if (runner.isTimeOver()) campaign.gaveUp = "the time is over";
    if (done == request.runs) campaign.gaveUp = "there are more than " + std::to_string(done);
    if (!campaign.gaveUp.empty()) return;
    writePicks(picks, *next);
    ScheduleLog log;
    Outcome outcome = runSchedule(request.program, "picks:" + picks, name, log);
    outcome.schedule = "p:";
    for (const std::string &preemption : log.preemptions)
      outcome.schedule += (outcome.schedule.size() > 2 ? "." : "") + preemption;
    results.append(outcome);
    const bool isAsBefore = search.take(log);
    campaign.outcomes.push_back(std::move(outcome));
    if (!isAsBefore) campaign.gaveUp = "the program does not do the same each time";
    if (!log.limits.empty() && isAsBefore) campaign.gaveUp = *log.limits.begin();
    if (!campaign.gaveUp.empty()) return;
  }
  campaign.isExhausted = true;
}

// planned() runs what the plan has. The part that tells of it all takes over what others leave undone.
void runPlan(const CampaignRequest &request, Runner &runner, const Plan &plan, Campaign &campaign) {
  std::map<uint64_t, Outcome> outcomes;
  runner.runAll(plan, [&](uint64_t number) { return request.part.isMine(number); }, outcomes);
  if (request.part.count > 1 && request.part.index == 0 && !request.results.empty() && request.seconds == 0) {
    runner.refresh();
    runner.runAll(plan, [&](uint64_t number) { return !request.part.isMine(number); }, outcomes);
  }
  for (auto &[number, outcome] : outcomes) campaign.outcomes.push_back(std::move(outcome));
}

}  // namespace

std::string scheduleText(const std::string &schedule, const std::string &trace) {
  return schedule.starts_with("urw:") ? schedule + ":" + trace : schedule;
}

Campaign runCampaign(const CampaignRequest &request, const Results &results, const std::string &folder) {
  Campaign campaign;
  Runner runner(request, results, folder);
  // The first makes the checked build that the others find.
  const Outcome inOrder = runner.run("order", 0, true);
  campaign.outcomes.push_back(inOrder);
  const uint64_t counted = inOrder.operations + inOrder.operations / 4 + 8;
  campaign.steps = request.steps != 0 ? request.steps : counted;
  if (request.strategy == "all")
    searchAll(request, runner, folder, results, campaign);
  else
    runPlan(request, runner, {request, campaign.steps}, campaign);
  return campaign;
}

}  // namespace hostwarp::tool
