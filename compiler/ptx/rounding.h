// Rounding modifiers.
#ifndef HOSTWARP_COMPILER_PTX_ROUNDING_H
#define HOSTWARP_COMPILER_PTX_ROUNDING_H

#include "compiler/ptx/emitter.h"

namespace hostwarp::compiler::ptx {

// The values are those of C's FLT_ROUNDS, which ptx/library hands on to the compiler's builtin; NearestAway is only
// known to conversions.
enum class Rounding : uint8_t { Zero = 0, NearestEven = 1, Up = 2, Down = 3, NearestAway = 4 };

// takeRounding() takes .rn, .rz, .rm, .rp; without one it is the default, to nearest.
inline Rounding takeRounding(Emitter &emitter) {
  const llvm::StringRef name = emitter.takeOneOf({"rn", "rz", "rm", "rp", "rna"});
  if (name == "rz") return Rounding::Zero;
  if (name == "rm") return Rounding::Down;
  if (name == "rp") return Rounding::Up;
  return name == "rna" ? Rounding::NearestAway : Rounding::NearestEven;
}

}  // namespace hostwarp::compiler::ptx

#endif  // HOSTWARP_COMPILER_PTX_ROUNDING_H
