#include "emu_runtime/abi/check_summary.h"

#include <chrono>
#include <cstdlib>
#include <future>
#include <thread>

#include "emu_runtime/check/allocation_places.h"
#include "emu_runtime/check/findings.h"
#include "emu_runtime/check/known_memory.h"
#include "emu_runtime/check/verdicts.h"
#include "emu_runtime/device/context.h"
#include "emu_runtime/device/device.h"
#include "emu_runtime/memory/allocation_table.h"
#include "emu_runtime/memory/memory_observer.h"
#include "emu_runtime/order/work_log.h"
#include "emu_runtime/support/findings_file.h"
#include "emu_runtime/support/log.h"
#include "emu_runtime/support/options.h"
#include "fibers/engine.h"

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

// mayLeak(): the rest is variables, or what other calls than a free() give back.
bool mayLeak(memory::Kind kind) {
  return kind == memory::Kind::Device || kind == memory::Kind::Pool || kind == memory::Kind::Managed ||
         kind == memory::Kind::Host || kind == memory::Kind::DeviceHeap;
}

// tellOfLeaks() tells of each allocation that is left, and of all together.
void tellOfLeaks() {
  const fibers::RuntimeSection section;
  uint64_t count = 0, bytes = 0;
  for (const memory::AllocationTable *table :
       {&memory::AllocationTable::process(), &memory::AllocationTable::ofHeaps()})
    for (const memory::Allocation &allocation : table->all()) {
      if (!mayLeak(allocation.kind)) continue;
      check::reportOfHost("leak", check::describe(allocation) + " are never freed",
                          check::AllocationPlaces::process().originOf(allocation.start));
      ++count;
      bytes += allocation.bytes;
    }
  if (count > 1)
    logLine("leaks: " + std::to_string(bytes) + " bytes of " + std::to_string(count) + " allocations are never freed");
}

void summarise() {
  if (!waitForKernels()) {
    logLine("kernels were still running " + std::to_string(longestWait.count()) +
            " seconds after the program had ended: what they do then is not checked");
    noteIncomplete("kernels that run on at the end");
  }
  if (optionSwitch(Option::CHECK_LEAKS)) tellOfLeaks();
  order::WorkLog::process().tell();
  check::sumUpFindings();
  check::Verdicts::process().print();
}

}  // namespace

void summariseChecksAtExit() {
  static const bool isChecked = optionText(Option::BUILD) == "checked" && std::atexit(summarise) == 0;
  if (isChecked) memory::memoryObserver = &check::AllocationPlaces::process();
}

}  // namespace hostwarp
