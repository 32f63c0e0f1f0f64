#include "emu_runtime/abi/check_summary.h"

#include <chrono>
#include <cstdlib>
#include <future>
#include <thread>

#include "emu_runtime/check/findings.h"
#include "emu_runtime/check/verdicts.h"
#include "emu_runtime/device/context.h"
#include "emu_runtime/device/device.h"
#include "emu_runtime/support/findings_file.h"
#include "emu_runtime/support/log.h"
#include "emu_runtime/support/options.h"

namespace hostwarp {

namespace {

constexpr std::chrono::seconds longestWait{60};

// waitForKernels() is false when some are still running after a while. A thread waits in the place of the one that ends
// the process, and is left behind then.
bool waitForKernels() {
  auto done = std::make_shared<std::promise<void>>();
  std::future<void> ended = done->get_future();
  std::thread([done] {
    for (const auto &device : device::devices())
      if (device->active()) (void)device->context()->synchronize();
    done->set_value();
  }).detach();
  return ended.wait_for(longestWait) == std::future_status::ready;
}

void summarise() {
  if (!waitForKernels()) {
    logLine("kernels were still running " + std::to_string(longestWait.count()) +
            " seconds after the program had ended: what they do then is not checked");
    noteIncomplete("kernels that run on at the end");
  }
  check::sumUpFindings();
  check::Verdicts::process().print();
}

}  // namespace

void summariseChecksAtExit() {
  static const bool isChecked = optionText(Option::BUILD) == "checked" && std::atexit(summarise) == 0;
  (void)isChecked;
}

}  // namespace hostwarp
