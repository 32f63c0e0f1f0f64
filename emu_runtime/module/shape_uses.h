// ShapeUses: for how long a kernel has run with each shape of block, and the code that was made for it.
#ifndef HOSTWARP_EMU_RUNTIME_MODULE_SHAPE_USES_H
#define HOSTWARP_EMU_RUNTIME_MODULE_SHAPE_USES_H

#include <atomic>
#include <cstdint>
#include <memory>

#include "emu_runtime/module/specialised_code.h"
#include "fibers/mutex.h"
#include "include/hostwarp/device_abi.h"

namespace hostwarp::modules {

// ShapeUse is what is known of one shape. Once it has code, launches take turns until it is clear whether that is the
// faster one. Thread-safe.
class ShapeUse {
 public:
  explicit ShapeUse(const hw_dim3 &block) : block_(block) {}

  const hw_dim3 &block() const { return block_; }

  // Run is one launch that has ended, by the specialised code or the kernel's own.
  struct Run {
    bool wasSpecialised;
    int64_t nanoseconds;
    uint64_t blocks;
  };
  // add() counts a launch, and returns the nanoseconds of all launches by the kernel's own code.
  int64_t add(const Run &run);

  // claim() is true for the first caller, who makes the code.
  bool claim() { return !isClaimed_.load(std::memory_order_relaxed) && !isClaimed_.exchange(true); }
  bool isClaimed() const { return isClaimed_.load(std::memory_order_relaxed); }

  // Verdict is which code is the faster one.
  enum class Verdict : uint8_t { Open, Specialised, Own };
  // set() gives the code, once; the verdict is open unless it is given, too.
  void set(std::shared_ptr<const SpecialisedCode> code, Verdict verdict = Verdict::Open);

  // next() is the code that the next launch runs; null: the kernel's own. code() is what set() was given.
  const SpecialisedCode *next();
  const SpecialisedCode *code() const { return code_.load(std::memory_order_acquire); }
  Verdict verdict() const { return verdict_.load(std::memory_order_relaxed); }

 private:
  struct Spent {
    int64_t nanoseconds = 0;
    uint64_t blocks = 0;
    unsigned launches = 0;
    double perBlock() const { return static_cast<double>(nanoseconds) / static_cast<double>(blocks); }
    bool isEnough() const;
  };
  void compare(const Run &run);

  const hw_dim3 block_;
  std::atomic<int64_t> spent_ = 0;
  std::atomic<bool> isClaimed_ = false;
  std::atomic<Verdict> verdict_ = Verdict::Open;
  std::atomic<unsigned> turn_ = 0;
  std::atomic<const SpecialisedCode *> code_ = nullptr;
  std::shared_ptr<const SpecialisedCode> owned_;
  Mutex mutex_;
  Spent trial_[2] HOSTWARP_GUARDED_BY(mutex_);  // by the kernel's own code, and by the specialised one
};

// ShapeUses keeps those of a kernel. Lock-free, thread-safe.
class ShapeUses {
 public:
  ShapeUses() = default;
  ~ShapeUses();
  ShapeUses(const ShapeUses &) = delete;
  ShapeUses &operator=(const ShapeUses &) = delete;

  // of() is the shape's; null where the kernel has been launched with more shapes than are worth code of their own.
  ShapeUse *of(const hw_dim3 &block);

 private:
  static constexpr int most = 8;
  std::atomic<ShapeUse *> uses_[most] = {};
};

}  // namespace hostwarp::modules

#endif  // HOSTWARP_EMU_RUNTIME_MODULE_SHAPE_USES_H
