// Where a generator's numbers come from: one class for each way in which cuRAND orders them.
#pragma once

#include <memory>

#include "emu_runtime/random/request.h"

namespace hostwarp::random {

// Source is not safe for several threads at a time. A generator's requests run one after the other.
class Source {
 public:
  virtual ~Source() = default;
  virtual void restart(const Restart &restart) = 0;
  // generate() writes the next request.count numbers. pre: the kind and the count fit this generator.
  virtual void generate(const Request &request) = 0;
};

// Interleaved: number n comes from sequence n modulo their count. Normal numbers come in pairs.
std::unique_ptr<Source> makeXorwowSource();
std::unique_ptr<Source> makeMrgSource();
// Four numbers at a time from each of 65536 sequences.
std::unique_ptr<Source> makePhiloxSource();
// 256 numbers at a time from each of 192 states.
std::unique_ptr<Source> makeMtgpSource();
// All points of the first dimension, then all of the second.
std::unique_ptr<Source> makeSobol32Source(bool scrambled);
std::unique_ptr<Source> makeSobol64Source(bool scrambled);

}  // namespace hostwarp::random
