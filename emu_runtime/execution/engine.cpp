#include "emu_runtime/execution/engine.h"

#include "emu_runtime/check/race_detector.h"
#include "emu_runtime/stream/operation.h"
#include "emu_runtime/support/options.h"

namespace hostwarp::execution {

fibers::EngineOptions engineOptions() {
  fibers::EngineOptions options;
  options.workers = static_cast<unsigned>(optionInteger(Option::WORKERS));
  options.seed = optionInteger(Option::SEED);
  options.wholeBlocks = optionText(Option::FORM) != "fibers";
  options.timeoutSeconds = optionSeconds(Option::TIMEOUT);
  // What happens before what is followed on one thread.
  if (optionText(Option::BUILD) == "checked") {
    options.workers = 1;
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
