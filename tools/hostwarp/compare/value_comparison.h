// What differs between two memories, element by element.
#ifndef HOSTWARP_TOOLS_HOSTWARP_COMPARE_VALUE_COMPARISON_H
#define HOSTWARP_TOOLS_HOSTWARP_COMPARE_VALUE_COMPARISON_H

#include <cstdint>
#include <optional>
#include <string>

#include "emu_runtime/support/compare_wire.h"
#include "tools/hostwarp/compare/element_type.h"

namespace hostwarp::tool::compare {

// Tolerance is what numbers may differ by: |a - b| <= absolute + relative * |b|, or so many ulps. Ulps are for
// floating-point numbers alone.
struct Tolerance {
  double relative = 0, absolute = 0;
  uint64_t ulps = 0;
};

// Pair is an element that differs.
struct Pair {
  uint64_t index = 0;
  std::string first, second;
  uint64_t ulps = 0;
  double absolute = 0, relative = 0;
};

struct ValueDifference {
  std::string type;
  bool isGuessed = false, isFloating = false;
  uint64_t elementBytes = 1, elements = 0, differing = 0;
  Pair first{}, largest{};  // the first, and the farthest apart
  uint64_t mostUlps = 0;
  double mostAbsolute = 0, mostRelative = 0;
  bool haveNan = false;  // a number on one side only: no tolerance hides it
};

// SideValues is one of the memories. Bytes that nobody has written since they were allocated hold `fill`.
struct SideValues {
  const compare_wire::Values &values;
  unsigned char fill = 0;
  bool isOfGpu = false;
};

// compareValues() is nothing where no elements differ by more than the tolerance. What does not count: bytes that are
// unwritten on both sides, addresses of the same place, or of the host's or of code's, and which NaN it is. `type`
// null: guessed. pre: both memories have the same size.
std::optional<ValueDifference> compareValues(const SideValues &first, const SideValues &second, const ElementType *type,
                                             const Tolerance &tolerance);

}  // namespace hostwarp::tool::compare

#endif  // HOSTWARP_TOOLS_HOSTWARP_COMPARE_VALUE_COMPARISON_H
