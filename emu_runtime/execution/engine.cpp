#include "emu_runtime/execution/engine.h"

#include "emu_runtime/check/race_detector.h"
#include "emu_runtime/memory/layout.h"
#include "emu_runtime/module/device_variables.h"
#include "emu_runtime/stream/operation.h"
#include "emu_runtime/stream/turns.h"
#include "emu_runtime/support/findings_file.h"
#include "emu_runtime/support/log.h"
#include "emu_runtime/support/options.h"

namespace hostwarp::execution {

namespace {

// EnginePacer has the engine take turns with the tasks and the host. A forked child's engine has it, too.
class EnginePacer final : public fibers::Pacer {
 public:
  void begins() override { stream::Turns::process().engineBegins(); }
  bool looksInVain() override { return stream::Turns::process().engineLooksInVain(); }
  void goesOnForLong() override { stream::Turns::process().engineRests(); }
};

EnginePacer enginePacer;

// nameOfAddress() leaves the host's addresses out where all runs are to say the same: each has others.
std::string nameOfAddress(uint64_t address, int64_t deviceDelta) {
  constexpr uint64_t endOfPrograms = uint64_t{1} << 47;
  std::string place = modules::placeInVariable(address, deviceDelta);
  if (place.empty() && stream::Turns::apply() && address >= memory::layout::end && address < endOfPrograms)
    place = "where the program's own memory is";
  return place;
}

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
  if (stream::Turns::apply()) options.pacer = &enginePacer;
  options.nameOfAddress = nameOfAddress;
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
  if (!stream::Turns::apply()) stream::Operation::setHelper(help);
  return engineOptions();
}

}  // namespace

fibers::Engine &engine() {
  static const fibers::EngineOptions options = optionsOfProcess();
  return fibers::Engine::process(options);
}

}  // namespace hostwarp::execution
