// `hostwarp explore`: runs of one program with other schedules, and what differs between them.
#include <sys/personality.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "tools/hostwarp/campaign.h"
#include "tools/hostwarp/campaign_report.h"
#include "tools/hostwarp/check_options.h"
#include "tools/hostwarp/commands.h"
#include "tools/hostwarp/minimise.h"

namespace hostwarp::tool {
namespace {

constexpr size_t mostAttempts = 2000;

struct ExploreRequest {
  CampaignRequest campaign;
  std::string replay;
  bool minimises = false;
};

// Number is an option with one.
struct Number {
  std::string_view name;
  double least;
  void (*set)(CampaignRequest &request, double value);
};
constexpr Number numbers[] = {
    {"--runs", 0, [](CampaignRequest &r, double v) { r.runs = static_cast<uint64_t>(v); }},
    {"--first-seed", 0, [](CampaignRequest &r, double v) { r.firstSeed = static_cast<uint64_t>(v); }},
    {"--time", 0.001, [](CampaignRequest &r, double v) { r.seconds = v, r.runs = UINT64_MAX; }},
    {"--timeout", 0.001, [](CampaignRequest &r, double v) { r.program.seconds = v; }},
    {"--jobs", 1, [](CampaignRequest &r, double v) { r.jobs = static_cast<unsigned>(v); }},
    {"--depth", 1, [](CampaignRequest &r, double v) { r.depth = static_cast<uint64_t>(v); }},
    {"--steps", 1, [](CampaignRequest &r, double v) { r.steps = static_cast<uint64_t>(v); }},
};
constexpr std::string_view strategies[] = {"mix", "order", "reverse", "random", "urw", "pct", "all"};

bool takePart(const std::string &text, Part &part) {
  unsigned long long index = 0, count = 0;
  int end = 0;
  if (std::sscanf(text.c_str(), "%llu/%llu%n", &index, &count, &end) != 2 || end != static_cast<int>(text.size()))
    return false;
  part = {index, count, false};
  return index < count;
}

// takeOption() takes an option and its value; false when it is one of check's. A value that is none becomes a
// complaint.
bool takeOption(const std::string &name, const std::string &value, ExploreRequest &request, std::string &complaint) {
  for (const Number &number : numbers) {
    if (name != number.name) continue;
    char *end = nullptr;
    const double given = std::strtod(value.c_str(), &end);
    if (value.empty() || *end != '\0' || !(given >= number.least)) complaint = "option '" + name + "' needs a number";
    if (complaint.empty()) number.set(request.campaign, given);
    return true;
  }
  if (name == "--strategy") {
    request.campaign.strategy = value == "exhaustive" ? "all" : value;
    if (std::ranges::find(strategies, request.campaign.strategy) == std::end(strategies))
      complaint = "there is no strategy '" + value + "'; see hostwarp help";
  } else if (name == "--results") {
    request.campaign.results = value;
  } else if (name == "--shard") {
    if (!takePart(value, request.campaign.part)) complaint = "option '--shard' needs I/N, with I from 0 to N - 1";
  } else if (name == "--replay") {
    request.replay = value;
  } else {
    return false;
  }
  return true;
}

std::string takeOptions(Arguments arguments, ExploreRequest &request) {
  std::string complaint;
  while (complaint.empty() && !arguments.empty() && arguments[0].starts_with("-")) {
    const std::string word(arguments[0]);
    arguments = arguments.subspan(1);
    if (word == "--") break;
    if (word == "--minimise" || word == "--minimize") {
      request.minimises = true;
      continue;
    }
    if (checkOption(word) == CheckOption::Flag) {
      request.campaign.program.checkOptions.push_back(word);
      continue;
    }
    const size_t equals = word.find('=');
    const bool isApart = equals == std::string::npos;
    if (isApart && arguments.empty()) return "option '" + word + "' needs a value";
    const std::string name = word.substr(0, equals),
                      value(isApart ? std::string(arguments[0]) : word.substr(equals + 1));
    if (isApart) arguments = arguments.subspan(1);
    if (takeOption(name, value, request, complaint)) continue;
    if (checkOption(name) == CheckOption::None) return "unknown option '" + name + "'; see hostwarp help";
    request.campaign.program.checkOptions.push_back(name + "=" + value);
  }
  request.campaign.program.command.assign(arguments.begin(), arguments.end());
  return complaint.empty() && arguments.empty() ? "explore needs a program" : complaint;
}

std::string againText(const ExploreRequest &request, const std::string &schedule) {
  std::string text = "hostwarp explore --replay " + schedule;
  for (const std::string &option : request.campaign.program.checkOptions) text += " " + commandText({option});
  return text + " " + commandText(request.campaign.program.command);
}

bool shows(const Outcome &outcome, const std::string &event, uint64_t outputInOrder) {
  if (event == otherOutput) return outcome.output != outputInOrder;
  const std::vector<std::string> events = outcome.events();
  return std::ranges::find(events, event) != events.end();
}

// stopsInOrder() is where threads stand in front of operations in the schedule in order.
std::vector<ScheduleEvent> stopsInOrder(const ProgramToRun &program, const std::string &folder) {
  const std::string picks = folder + "/none";
  std::ofstream(picks).close();
  ScheduleLog log;
  runSchedule(program, "picks:" + picks, folder + "/stops", log);
  std::erase_if(log.events, [](const ScheduleEvent &event) { return event.kind != 'P'; });
  return log.events;
}

// reportMinimised() looks for the fewest preemptions that bring the event about.
void reportMinimised(const ExploreRequest &request, const std::string &folder, const std::string &event,
                     const std::string &schedule) {
  const ProgramToRun &program = request.campaign.program;
  ScheduleLog log;
  const Outcome inOrder = runSchedule(program, "order", folder + "/0", log);
  Preemptions used;
  const auto fails = [&](const Preemptions &preemptions) -> std::optional<Preemptions> {
    const Outcome outcome = runSchedule(program, scheduleOf(preemptions), folder + "/less", log);
    return shows(outcome, event, inOrder.output) ? std::optional(log.preemptions) : std::nullopt;
  };
  runSchedule(program, scheduleText(schedule, folder + "/0.trace"), folder + "/first", log);
  const Preemptions all = log.preemptions;
  if (!fails(all)) {
    std::printf("hostwarp: %s: does not come by preemptions alone\n", event.c_str());
    return;
  }
  Preemptions least = minimise(all, fails, mostAttempts);
  if (least.size() > 1)
    if (const auto single = singlePreemption(stopsInOrder(program, folder), fails, mostAttempts)) least = *single;
  std::printf("hostwarp: %s: with %zu of %zu preemptions; again: %s\n", event.c_str(), least.size(), all.size(),
              againText(request, scheduleOf(least)).c_str());
}

// report() prints what the schedules have come to.
int report(const ExploreRequest &request, const Campaign &campaign, const std::string &folder) {
  const std::map<std::string, Seen> events = eventsOf(campaign);
  for (const auto &[event, seen] : events)
    std::printf("hostwarp: %s: in %llu of %zu schedules; again: %s\n", event.c_str(),
                static_cast<unsigned long long>(seen.times), campaign.outcomes.size(),
                againText(request, seen.first).c_str());
  const Verdict verdict = verdictOf(campaign);
  if (events.empty())
    std::printf("hostwarp: %zu %s: nothing found, and one output\n", campaign.outcomes.size(),
                campaign.outcomes.size() == 1 ? "schedule" : "schedules");
  std::printf("hostwarp: %s: %s\n", verdict.grade.c_str(), verdict.because.c_str());
  std::fflush(stdout);
  if (request.minimises)
    for (const auto &[event, seen] : events) reportMinimised(request, folder, event, seen.first);
  return !events.empty() ? 1 : verdict.grade == "INCOMPLETE" ? 2 : 0;
}

// replay() runs the program once more with a schedule, in the open.
int replay(const ExploreRequest &request, const std::string &folder) {
  const ProgramToRun &program = request.campaign.program;
  if (request.minimises) {
    ScheduleLog log;
    Campaign campaign;
    campaign.outcomes.push_back(runSchedule(program, "order", folder + "/0", log));
    campaign.outcomes.push_back(
        runSchedule(program, scheduleText(request.replay, folder + "/0.trace"), folder + "/1", log));
    campaign.outcomes.back().schedule = request.replay;
    const std::map<std::string, Seen> events = eventsOf(campaign);
    for (const auto &[event, seen] : events) reportMinimised(request, folder, event, request.replay);
    if (events.empty()) std::puts("hostwarp: nothing is wrong with that schedule");
    return events.empty() ? 0 : 1;
  }
  ScheduleLog log;
  if (request.replay.starts_with("urw:")) runSchedule(program, "order", folder + "/0", log);
  std::vector<std::string> words = {"--schedule", scheduleText(request.replay, folder + "/0.trace")};
  words.insert(words.end(), program.checkOptions.begin(), program.checkOptions.end());
  words.emplace_back("--");
  words.insert(words.end(), program.command.begin(), program.command.end());
  const std::vector<std::string_view> views(words.begin(), words.end());
  return check(views);
}

}  // namespace

int explore(Arguments arguments) {
  ExploreRequest request;
  if (const std::string complaint = takeOptions(arguments, request); !complaint.empty()) return fail(complaint);
  const CampaignRequest &campaign = request.campaign;
  if (campaign.part.count > 1 && campaign.results.empty() && request.replay.empty())
    return fail("several parts need a folder for their results: --results FOLDER");
  const Folder folder;
  if (folder.path().empty()) return fail("there is no temporary folder to note outcomes in");
  setVariable("TMPDIR", folder.path());  // what runs that are ended leave behind goes with the folder
  // The same memory has the same addresses in each run.
  personality(ADDR_NO_RANDOMIZE);
  if (!request.replay.empty()) return replay(request, folder.path());
  Results results;
  if (!campaign.results.empty())
    if (const std::string complaint = results.open(campaign); !complaint.empty()) return fail(complaint);
  const bool isSearch = campaign.strategy == "all";
  if (isSearch && campaign.part.index != 0) return 0;  // it cannot be divided
  const Campaign done = runCampaign(campaign, results, folder.path());
  if (campaign.part.isSilent) return 0;
  return report(request, done, folder.path());
}

}  // namespace hostwarp::tool
