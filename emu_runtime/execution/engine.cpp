#include "emu_runtime/execution/engine.h"

#include "emu_runtime/support/options.h"

namespace hostwarp::execution {

fibers::EngineOptions engineOptions() {
  fibers::EngineOptions options;
  options.workers = static_cast<unsigned>(optionInteger(Option::WORKERS));
  options.seed = optionInteger(Option::SEED);
  options.wholeBlocks = optionText(Option::FORM) != "fibers";
  options.timeoutSeconds = optionSeconds(Option::TIMEOUT);
  return options;
}

fibers::Engine &engine() {
  static const fibers::EngineOptions options = engineOptions();
  return fibers::Engine::process(options);
}

}  // namespace hostwarp::execution
