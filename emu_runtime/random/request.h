// What a generator is asked for, in a form that can wait in a stream.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "emu_runtime/random/poisson_histogram.h"

namespace hostwarp::random {

enum class Kind {
  Integer,
  LongLong,
  Uniform,
  UniformDouble,
  Normal,
  NormalDouble,
  LogNormal,
  LogNormalDouble,
  Poisson
};

// bytesOf() is the size of one number.
constexpr size_t bytesOf(Kind kind) {
  const bool isLong = kind == Kind::LongLong || kind == Kind::UniformDouble || kind == Kind::NormalDouble ||
                      kind == Kind::LogNormalDouble;
  return isLong ? 8 : 4;
}

// Restart begins the sequence anew. Without an offset, the position stays where it is.
struct Restart {
  unsigned long long seed = 0;
  std::optional<unsigned long long> offset;
  unsigned sequences = 0;   // for the pseudorandom generators that interleave several
  unsigned dimensions = 1;  // for the quasirandom ones
};

struct Request {
  Kind kind;
  void *out;
  size_t count;
  double mean = 0;
  double deviation = 1;
  // Set for Poisson numbers of a mean below largeMean.
  std::shared_ptr<const PoissonHistogram> histogram = nullptr;
  std::optional<Restart> restart = std::nullopt;
};

// From this mean on, Poisson numbers are rounded normal ones.
constexpr double largeMean = 2000;

}  // namespace hostwarp::random
