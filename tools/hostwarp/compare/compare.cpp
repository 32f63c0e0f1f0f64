#include <cstdio>
#include <fstream>
#include <memory>
#include <string>

#include "device_model/gpu.h"
#include "gpu_backend/probe.h"
#include "tools/hostwarp/commands.h"
#include "tools/hostwarp/compare/explanation.h"
#include "tools/hostwarp/compare/live_run.h"
#include "tools/hostwarp/compare/report.h"
#include "tools/hostwarp/compare/request.h"
#include "tools/hostwarp/compare/saved_run.h"
#include "tools/hostwarp/compare/walk.h"
#include "tools/hostwarp/schedule_run.h"

namespace hostwarp::tool {
namespace {

using namespace compare;

// New memory holds one byte in the one run and another in the other: what depends on it differs, and where both still
// have theirs nobody has written.
constexpr uint64_t firstFill = 0xa5, secondFill = 0x5a;

constexpr int notCompared = 2;

bool haveGpu() {
  const auto &machine = gpu_backend::probeMachine();
  return machine.problem.ok() && !machine.gpus.empty();
}

// modelOfGpu() is a setting that has emulated devices be what the GPU is, where a model is known.
std::string modelOfGpu() {
  for (const auto &model : device_model::all())
    if (model.name == gpu_backend::probeMachine().gpus.front().name) return ",device=" + std::string(model.id);
  return "";
}

// chooseRuns() fills in what has not been asked for.
void chooseRuns(Request &request) {
  const bool isFree = request.first.empty() && request.second.empty();
  if (!request.saveTo.empty()) {
    if (request.first.empty()) request.first = haveGpu() ? "gpu" : "cpu";
  } else if (!request.readFrom.empty() || !isFree) {
    if (request.first.empty()) request.first = "cpu";
    if (request.second.empty()) request.second = "cpu";
  } else if (haveGpu()) {
    request.first = "cpu" + modelOfGpu();
    request.second = "gpu";
  } else {
    request.first = "cpu";
    request.second = "cpu,form=fibers,seed=1";
  }
}

std::string settingsFor(const Request &request, const std::string &list, uint64_t fill, RunSettings &run) {
  run.name = list;
  run.command = request.command;
  run.answer = {fill, request.kernels};
  run.seconds = request.seconds;
  return addSettings(list, run);
}

int save(const Request &request, const Folder &folder) {
  RunSettings settings;
  if (const std::string wrong = settingsFor(request, request.first, firstFill, settings); !wrong.empty())
    return fail(wrong);
  settings.showsOutput = true;
  LiveRun run(settings, folder.path() + "/run");
  uint64_t launches = 0;
  const std::string wrong = saveRun(run, programOf(request.command), request.withValues, request.saveTo, launches);
  if (!wrong.empty()) return fail(wrong);
  std::fprintf(stderr, "hostwarp: %llu launches (%s) are in %s\n", static_cast<unsigned long long>(launches),
               request.first.c_str(), request.saveTo.c_str());
  return 0;
}

// firstLines() compares two outputs: the number of the first line that differs, and how.
std::string outputNote(const LiveRun &first, const LiveRun &second) {
  std::ifstream one(first.outputFile()), two(second.outputFile());
  for (uint64_t number = 1;; ++number) {
    std::string a, b;
    const bool hasOne = !!std::getline(one, a), hasTwo = !!std::getline(two, b);
    if (!hasOne && !hasTwo) return "";
    if (hasOne == hasTwo && a == b) continue;
    return "the runs have printed different things, from line " + std::to_string(number) + " on: '" + a + "' and '" +
           b + "'";
  }
}

// lastWords() is what a run that failed has said of it.
std::string lastWords(const LiveRun &run) {
  std::ifstream file(run.errorFile());
  std::string line, last;
  while (std::getline(file, line))
    if (!line.empty()) last = line;
  return last.empty() ? "" : "its last words: " + last;
}

bool isWorthChecking(const Comparison &comparison) {
  return comparison.problem.empty() && comparison.difference && comparison.difference->sequence.empty() &&
         (comparison.difference->work.kind == "kernel" || !comparison.difference->lastKernel.empty());
}

int tell(const Request &request, const Report &report) {
  std::fputs(toText(report).c_str(), stderr);
  if (request.json.empty()) return statusOf(report.comparison);
  std::ofstream file(request.json);
  file << toJson(report);
  file.close();
  return file ? statusOf(report.comparison) : fail("cannot write " + request.json);
}

// Runs are the two sides; a file is in place of the first where the user has one.
struct Runs {
  std::unique_ptr<SavedRun> saved;
  std::unique_ptr<LiveRun> first, second;
  RunSettings toCheck;  // which of them hostwarp check is to look at
};

std::string prepare(const Request &request, const Folder &folder, Runs &runs) {
  uint64_t fill = secondFill;
  RunSettings first, second;
  if (!request.readFrom.empty()) {
    runs.saved = std::make_unique<SavedRun>(request.readFrom);
    if (std::string wrong = runs.saved->open(programOf(request.command)); !wrong.empty()) return wrong;
    // Digests are alike only if unwritten bytes are.
    if (!runs.saved->haveValues()) fill = runs.saved->fill();
  } else {
    if (std::string wrong = settingsFor(request, request.first, firstFill, first); !wrong.empty())
      return "--first: " + wrong;
    runs.first = std::make_unique<LiveRun>(first, folder.path() + "/first");
  }
  if (std::string wrong = settingsFor(request, request.second, fill, second); !wrong.empty())
    return "--second: " + wrong;
  runs.second = std::make_unique<LiveRun>(second, folder.path() + "/second");
  runs.toCheck = second;
  return "";
}

}  // namespace

int compareRuns(Arguments arguments) {
  Request request;
  if (const std::string wrong = parseRequest(arguments, request); !wrong.empty()) return fail(wrong);
  const Folder folder;
  if (folder.path().empty()) return fail("there is no temporary folder to work in");
  chooseRuns(request);
  if (!request.saveTo.empty()) return save(request, folder);
  Runs runs;
  if (const std::string wrong = prepare(request, folder, runs); !wrong.empty()) return fail(wrong);
  Side &first = runs.saved ? static_cast<Side &>(*runs.saved) : *runs.first;
  Report report{
      request.command, first.name(), runs.second->name(), compareSides(first, *runs.second, request.criteria), {}, ""};
  const Comparison &comparison = report.comparison;
  if (runs.first && !comparison.difference && comparison.problem.empty())
    report.note = outputNote(*runs.first, *runs.second);
  if (!comparison.problem.empty())
    for (const LiveRun *run : {runs.first.get(), runs.second.get()})
      if (run && comparison.problem.starts_with("the run with " + run->name() + " ")) report.note = lastWords(*run);
  const RunSettings toCheck = runs.toCheck;
  runs = {};  // ends them
  if (request.explains && isWorthChecking(comparison)) {
    const auto &difference = *comparison.difference;
    const std::string &kernel = difference.work.kind == "kernel" ? difference.work.name : difference.lastKernel;
    report.explanation = explain(toCheck, kernel, folder.path() + "/check");
  }
  return tell(request, report);
}

}  // namespace hostwarp::tool
