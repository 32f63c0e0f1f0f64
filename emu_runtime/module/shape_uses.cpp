#include "emu_runtime/module/shape_uses.h"

#include <algorithm>
#include <utility>

namespace hostwarp::modules {

namespace {

bool isSame(const hw_dim3 &one, const hw_dim3 &other) {
  return one.x == other.x && one.y == other.y && one.z == other.z;
}

}  // namespace

// A launch or two tell nothing, and short ones need to be many.
bool ShapeUse::Spent::isEnough() const {
  constexpr unsigned fewest = 4, many = 64;
  constexpr int64_t long_ = 20'000'000;
  return launches >= many || (launches >= fewest && nanoseconds >= long_);
}

int64_t ShapeUse::add(const Run &run) {
  if (code() && verdict() == Verdict::Open) compare(run);
  const int64_t own = run.wasSpecialised ? 0 : run.nanoseconds;
  return spent_.fetch_add(own, std::memory_order_relaxed) + own;
}

void ShapeUse::compare(const Run &run) {
  // What is hardly faster stays: others may run beside it, and a launch is not like the other.
  constexpr double tolerance = 1.05;
  const MutexLock lock(mutex_);
  Spent &spent = trial_[run.wasSpecialised];
  spent.nanoseconds += run.nanoseconds;
  spent.blocks += std::max<uint64_t>(1, run.blocks);
  ++spent.launches;
  if (!std::ranges::all_of(trial_, &Spent::isEnough)) return;
  verdict_ = trial_[1].perBlock() > tolerance * trial_[0].perBlock() ? Verdict::Own : Verdict::Specialised;
}

void ShapeUse::set(std::shared_ptr<const SpecialisedCode> code, Verdict verdict) {
  owned_ = std::move(code);
  verdict_ = verdict;
  code_.store(owned_.get(), std::memory_order_release);
}

// Of four launches the first and the last are the specialised code's: what launches do in turn is then done by both.
const SpecialisedCode *ShapeUse::next() {
  const SpecialisedCode *code = this->code();
  if (!code || verdict() == Verdict::Specialised) return code;
  if (verdict() == Verdict::Own) return nullptr;
  const unsigned turn = turn_.fetch_add(1, std::memory_order_relaxed) % 4;
  return turn == 0 || turn == 3 ? code : nullptr;
}

ShapeUses::~ShapeUses() {
  for (const std::atomic<ShapeUse *> &use : uses_) delete use.load();
}

ShapeUse *ShapeUses::of(const hw_dim3 &block) {
  std::unique_ptr<ShapeUse> made;
  for (std::atomic<ShapeUse *> &place : uses_) {
    ShapeUse *use = place.load(std::memory_order_acquire);
    if (!use) {
      if (!made) made = std::make_unique<ShapeUse>(block);
      if (place.compare_exchange_strong(use, made.get())) return made.release();
    }
    if (isSame(use->block(), block)) return use;
  }
  return nullptr;
}

}  // namespace hostwarp::modules
