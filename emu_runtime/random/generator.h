// What a curandGenerator_t points to.
#pragma once

#include <curand.h>

#include <memory>
#include <vector>

#include "emu_runtime/random/source.h"

// A generator of the device works in its stream, so the numbers that it makes are those of the order in which they were
// asked for; settings travel with the next request. Calls for one generator must not overlap, as with cuRAND.
struct curandGenerator_st {
 public:
  curandGenerator_st(curandRngType_t type, bool onHost);
  ~curandGenerator_st();
  curandGenerator_st(const curandGenerator_st &) = delete;
  curandGenerator_st &operator=(const curandGenerator_st &) = delete;

  [[nodiscard]] curandStatus_t setSeed(unsigned long long seed);
  [[nodiscard]] curandStatus_t setOffset(unsigned long long offset);
  [[nodiscard]] curandStatus_t setOrdering(curandOrdering_t ordering);
  [[nodiscard]] curandStatus_t setDimensions(unsigned dimensions);
  void setStream(cudaStream_t stream) { stream_ = stream; }
  // applySettings() lets what has been set take effect now.
  [[nodiscard]] curandStatus_t applySettings();
  // generate() waits for the numbers only when they are made on the host.
  [[nodiscard]] curandStatus_t generate(hostwarp::random::Request request);
  [[nodiscard]] curandStatus_t generatePoisson(unsigned *out, size_t count, double mean);

 private:
  struct Task;
  static void runTask(void *task);

  [[nodiscard]] bool isQuasi() const { return type_ >= CURAND_RNG_QUASI_DEFAULT; }
  [[nodiscard]] bool is64Bits() const;
  [[nodiscard]] bool isInterleaved() const;
  [[nodiscard]] curandStatus_t check(const hostwarp::random::Request &request) const;
  [[nodiscard]] curandStatus_t submit(hostwarp::random::Request request);

  const curandRngType_t type_;
  const bool onHost_;
  cudaStream_t stream_ = nullptr;
  std::shared_ptr<hostwarp::random::Source> source_;
  hostwarp::random::Restart settings_;
  bool changed_ = true;
  double histogramMean_ = 0;
  std::shared_ptr<const hostwarp::random::PoissonHistogram> histogram_;
  // Tasks of captured streams may run any number of times.
  std::vector<std::unique_ptr<Task>> captured_;
};

namespace hostwarp::random {

// isType() is false for numbers that are no type of generator.
[[nodiscard]] bool isType(curandRngType_t type);

// refused() names on stderr what is not there, once, and returns `status`.
curandStatus_t refused(const char *what, curandStatus_t status);

}  // namespace hostwarp::random
