#include "emu_runtime/check/verdicts.h"

#include "emu_runtime/support/log.h"

namespace hostwarp::check {

namespace {

constexpr size_t mostKernelsPrinted = 20;

const char *sentenceOf(uint32_t unsettled) {
#define HOSTWARP_UNSETTLED(name, sentence) \
  if ((unsettled >> static_cast<uint32_t>(Unsettled::name) & 1) != 0) return sentence;
#include "emu_runtime/check/verdicts.def"
#undef HOSTWARP_UNSETTLED
  return "";
}

std::string launchesText(uint64_t count) { return std::to_string(count) + (count == 1 ? " launch" : " launches"); }

}  // namespace

Verdicts &Verdicts::process() {
  static auto *verdicts = new Verdicts;
  return *verdicts;
}

void Verdicts::add(const std::string &kernel, uint32_t unsettled) {
  MutexLock lock(mutex_);
  Kernel &entry = kernels_[kernel];
  ++entry.launches;
  entry.settled += unsettled == 0;
  entry.unsettled |= unsettled;
}

void Verdicts::unsettle(const std::string &kernel, Unsettled why) {
  MutexLock lock(mutex_);
  const auto place = kernels_.find(kernel);
  if (place == kernels_.end()) return;
  Kernel &entry = place->second;
  if (entry.settled != 0) --entry.settled;
  entry.unsettled |= 1u << static_cast<uint32_t>(why);
}

void Verdicts::noteVerdicts(const LaunchesNote &launches) {
  for (const auto &[name, kernel] : kernels_)
    if (kernel.unsettled != 0) noteUnsettled(name + ": " + sentenceOf(kernel.unsettled));
  noteLaunches(launches);
}

void Verdicts::print() {
  MutexLock lock(mutex_);
  uint64_t launches = 0, settled = 0;
  for (const auto &[name, kernel] : kernels_) {
    launches += kernel.launches;
    settled += kernel.settled;
  }
  noteVerdicts({launches, settled});
  if (launches == 0) return;
  logLine(std::to_string(settled) + " of " + launchesText(launches) +
          " settled: in any order of the threads they come to the same, with this input");
  size_t printed = 0;
  for (const auto &[name, kernel] : kernels_) {
    if (kernel.unsettled == 0 || ++printed > mostKernelsPrinted) continue;
    logLine("not settled: " + launchesText(kernel.launches - kernel.settled) + " of " + name + ": " +
            sentenceOf(kernel.unsettled));
  }
  if (printed > mostKernelsPrinted)
    logLine("not settled: " + std::to_string(printed - mostKernelsPrinted) + " more kernels");
}

}  // namespace hostwarp::check
