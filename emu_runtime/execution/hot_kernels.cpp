#include "emu_runtime/execution/hot_kernels.h"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <string>
#include <thread>
#include <utility>

#include "emu_runtime/execution/engine.h"
#include "emu_runtime/module/other_builds.h"
#include "emu_runtime/module/registry.h"
#include "emu_runtime/module/specialised_code.h"
#include "emu_runtime/support/options.h"
#include "fibers/mutex.h"

namespace hostwarp::execution {

namespace {

using modules::Kernel;
using modules::KernelSource;
using modules::ShapeUse;
using modules::SpecialisedCode;

// The time after which code for a shape is made: some times what hwcc takes for a small kernel in a small image.
constexpr int64_t worthIt = 300'000'000;
constexpr int64_t perCarriedByte = 1000;
// What was left out because it is large takes longer, and gains more.
constexpr int64_t timesForLarge = 4;

enum class Wish : uint8_t { Never, WhenHot, Always };

// wish() is the user's. Schedules that are drawn, and builds to look at, have threads run one by one.
Wish wish() {
  static const Wish wish = [] {
    const std::string &text = optionText(Option::SPECIALISE);
    const fibers::EngineOptions &options = engine().options();
    const bool isUsual = options.wholeBlocks && options.seed == 0 && options.schedule.empty() &&
                         optionText(Option::FORM) == "auto" && !modules::wantsOtherBuild();
    if (!isUsual || text == "off" || hw_isa_level < HW_ISA_AVX2) return Wish::Never;
    return text == "always" ? Wish::Always : Wish::WhenHot;
  }();
  return wish;
}

// canGain(): the kernel has no code for the shape, and may have some.
bool canGain(const Kernel &kernel, const hw_dim3 &block) {
  constexpr uint32_t launches = HW_KERNEL_LAUNCHES_KERNELS | HW_KERNEL_LAUNCHES_GRAPHS;
  if (kernel.serialBlocks() || (kernel.code()->flags & launches)) return false;
  const hw_entry *whole = kernel.blockEntry(block);
  return whole ? whole->blockDim[0] == 0 : (kernel.code()->flags & HW_KERNEL_LEFT_OUT) != 0;
}

// Builder makes code, one kernel after the other, on a thread of its own. When the process exits, it makes no more.
// Never destroyed.
class Builder {
 public:
  static Builder &process() {
    static auto *builder = new Builder;
    return *builder;
  }

  void add(const std::shared_ptr<Kernel> &kernel, ShapeUse &use, KernelSource source) {
    const MutexLock lock(mutex_);
    jobs_.push_back({kernel, &use, std::move(source)});
    if (!std::exchange(isRunning_, true)) start();
  }

 private:
  // Job is for a kernel that may be gone when its turn comes.
  struct Job {
    std::weak_ptr<Kernel> kernel;
    ShapeUse *use;
    KernelSource source;
  };

  Builder() {
    std::atexit([] { process().end(); });
  }

  void end() {
    const MutexLock loading(loading_), lock(mutex_);
    hasEnded_ = true;
  }

  // start(): signals are for the program's threads.
  void start() {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread([this] { run(); }).detach();
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  void run() {
    for (Job job; next(job);) {
      const hw_dim3 block = blockOf(job);
      if (block.x == 0) continue;
      auto code = SpecialisedCode::compile(job.source, block);
      if (code.ok()) install(job, block, *code);
    }
  }

  bool next(Job &job) {
    const MutexLock lock(mutex_);
    isRunning_ = !jobs_.empty() && !hasEnded_;
    if (!isRunning_) return false;
    job = std::move(jobs_.front());
    jobs_.pop_front();
    return true;
  }

  static hw_dim3 blockOf(const Job &job) {
    const auto kernel = job.kernel.lock();
    return kernel ? job.use->block() : hw_dim3{};
  }

  bool hasEnded() {
    const MutexLock lock(mutex_);
    return hasEnded_;
  }

  // install() loads the code, which takes no long, unless the process exits.
  void install(const Job &job, const hw_dim3 &block, const std::string &image) {
    const auto kernel = job.kernel.lock();
    const MutexLock loading(loading_);
    if (!kernel || hasEnded()) return;
    auto code = SpecialisedCode::load(image, job.source, block);
    if (code.ok()) job.use->set(*std::move(code));
  }

  // Held while code is loaded, before mutex_: the dynamic linker's lock may be somebody's who waits for a kernel.
  Mutex loading_;
  Mutex mutex_;
  std::deque<Job> jobs_ HOSTWARP_GUARDED_BY(mutex_);
  bool isRunning_ HOSTWARP_GUARDED_BY(mutex_) = false;
  bool hasEnded_ HOSTWARP_GUARDED_BY(mutex_) = false;
};

uint64_t blocksIn(const hw_dim3 &grid) { return uint64_t{grid.x} * grid.y * grid.z; }

// askFor() has the code made, once the kernel has run for long enough.
void askFor(const std::shared_ptr<Kernel> &kernel, ShapeUse &use, int64_t spent) {
  const hw_image *image = modules::Registry::process().imageOf(kernel->code());
  const bool canBuild = image && image->code;
  const bool isLarge = (kernel->code()->flags & HW_KERNEL_LEFT_OUT) != 0;
  const int64_t least = isLarge ? timesForLarge * worthIt : worthIt;
  if (canBuild && spent < least + perCarriedByte * static_cast<int64_t>(image->codeBytes)) return;
  if (use.claim() && canBuild) Builder::process().add(kernel, use, modules::sourceOf(*image, *kernel->code()));
}

}  // namespace

void specialiseNow(const Kernel &kernel, const hw_dim3 &block) {
  if (wish() != Wish::Always || !canGain(kernel, block)) return;
  ShapeUse *use = kernel.shapes().of(block);
  const hw_image *image = modules::Registry::process().imageOf(kernel.code());
  if (!use || !image || !image->code || !use->claim()) return;
  const KernelSource source = modules::sourceOf(*image, *kernel.code());
  const auto bytes = SpecialisedCode::compile(source, block);
  auto code = bytes.ok() ? SpecialisedCode::load(*bytes, source, block) : bytes.status();
  if (code.ok()) use->set(*std::move(code), ShapeUse::Verdict::Specialised);
}

ShapeUse *useSpecialised(fibers::GridRequest &request, const Kernel &kernel) {
  if (wish() == Wish::Never || !canGain(kernel, request.block)) return nullptr;
  ShapeUse *use = kernel.shapes().of(request.block);
  if (!use) return nullptr;
  if (const SpecialisedCode *code = use->next()) {
    request.blockEntry = code->entry().run.block;
    request.frameBytes = code->entry().frameBytes;
    request.stackBytes += code->code().localBytes + code->code().spillBytes;
  }
  return wish() == Wish::WhenHot && use->verdict() == ShapeUse::Verdict::Open ? use : nullptr;
}

void noteRun(ShapeUse &use, const std::shared_ptr<Kernel> &kernel, const fibers::GridRequest &request,
             int64_t nanoseconds) {
  const SpecialisedCode *code = use.code();
  const bool wasSpecialised = code && request.blockEntry == code->entry().run.block;
  const int64_t spent = use.add({wasSpecialised, nanoseconds, blocksIn(request.grid)});
  if (spent >= worthIt && !use.isClaimed()) askFor(kernel, use, spent);
}

}  // namespace hostwarp::execution
