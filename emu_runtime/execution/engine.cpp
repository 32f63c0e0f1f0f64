#include "emu_runtime/execution/engine.h"

#include "emu_runtime/check/race_detector.h"
#include "emu_runtime/module/device_variables.h"
#include "emu_runtime/stream/operation.h"
#include "emu_runtime/support/findings_file.h"
#include "emu_runtime/support/log.h"
#include "emu_runtime/support/options.h"

namespace hostwarp::execution {

namespace {

// schedule() is HOSTWARP_SCHEDULE's, if it is one.
std::string schedule() {
  const std::string &text = optionText(Option::SCHEDULE);
  if (fibers::isSchedule(text)) return text;
  const std::string complaint = "HOSTWARP_SCHEDULE=" + text + " is no schedule, or its file cannot be read";
  logLine(complaint);
  noteIncomplete(complaint);
  return "order";
}

}  // namespace

fibers::EngineOptions engineOptions() {
  fibers::EngineOptions options;
  options.workers = static_cast<unsigned>(optionInteger(Option::WORKERS));
  options.seed = optionInteger(Option::SEED);
  options.wholeBlocks = optionText(Option::FORM) != "fibers";
  options.timeoutSeconds = optionSeconds(Option::TIMEOUT);
  options.schedule = schedule();
  options.scheduleTrace = optionText(Option::SCHEDULE_TRACE);
  options.nameOfAddress = modules::placeInVariable;
  // What happens before what is followed on one thread.
  if (optionText(Option::BUILD) == "checked") {
    options.workers = 1;
    options.divisionsFault = true;
    fibers::syncObserver = &check::RaceDetector::process();
  }
  return options;
}

namespace {

void help(const fibers::Place &last, const std::function<bool()> &over) { engine().help(last, over); }

fibers::EngineOptions optionsOfProcess() {
  stream::Operation::setHelper(help);
  return engineOptions();
}

}  // namespace

fibers::Engine &engine() {
  static const fibers::EngineOptions options = optionsOfProcess();
  return fibers::Engine::process(options);
}

}  // namespace hostwarp::execution
