// Side: one of the two runs that are compared, live or as a file has it.
#ifndef HOSTWARP_TOOLS_HOSTWARP_COMPARE_SIDE_H
#define HOSTWARP_TOOLS_HOSTWARP_COMPARE_SIDE_H

#include <optional>
#include <string>

#include "emu_runtime/support/compare_wire.h"

namespace hostwarp::tool::compare {

// Ending is how a run has ended. A problem, in a sentence, is what keeps it from being compared.
struct Ending {
  int status = 0;  // as a shell says it
  std::string problem;
};

class Side {
 public:
  virtual ~Side() = default;

  // next() lets the run go on, and is its next piece of work; nothing at its end. Blocks.
  virtual std::optional<compare_wire::Work> next() = 0;
  // values() is what memory holds after that work; nothing where that is not known. place() is where it was allocated.
  virtual std::optional<compare_wire::Values> values(compare_wire::ObjectId id) = 0;
  virtual std::string place(compare_wire::ObjectId id) = 0;
  // ending() is known once next() has come to it.
  virtual Ending ending() = 0;

  // hello() is what the run has said of itself: nothing where it has not done anything.
  virtual std::optional<compare_wire::Hello> hello() const = 0;
  // fill() is the byte that new memory was filled with.
  virtual unsigned char fill() const = 0;
  // name() is what reports call the run.
  virtual std::string name() const = 0;
};

}  // namespace hostwarp::tool::compare

#endif  // HOSTWARP_TOOLS_HOSTWARP_COMPARE_SIDE_H
