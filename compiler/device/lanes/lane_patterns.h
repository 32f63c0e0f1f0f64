// Values of which each lane's distance from the first lane's is known, though it is no multiple of the lane's number.
#ifndef HOSTWARP_COMPILER_DEVICE_LANES_LANE_PATTERNS_H
#define HOSTWARP_COMPILER_DEVICE_LANES_LANE_PATTERNS_H

#include <llvm/ADT/SmallVector.h>

#include <map>
#include <optional>

#include "compiler/device/lanes/lane_shapes.h"

namespace hostwarp::compiler {

// LanePattern: lane n has base + lanes[n], where the lowest `zeros` bits of the base, which all have, are 0.
struct LanePattern {
  llvm::SmallVector<int64_t, 32> lanes;
  unsigned zeros = 0;
};

// LaneWindow is where lanes find, or put, elements that lie no further apart than two vectors reach.
struct LaneWindow {
  llvm::SmallVector<unsigned, 32> elements;  // of each lane, from the lowest
  unsigned count = 0;                        // from the lowest to the highest, with both
  int64_t lowest = 0;                        // in bytes from the first lane's
  // isOneToOne(): no two lanes have one element.
  bool isOneToOne() const;
};

// LanePatterns looks at numbers that are put together from those of lanes and from constants: 2 * t - (t & 3) does not
// depend on where in the block a vector begins, since it begins at a multiple of its lanes.
class LanePatterns {
 public:
  LanePatterns(const LaneShapes &shapes, unsigned lanes) : shapes_(shapes), lanes_(lanes) {}

  // of() is the value's pattern; nothing: there is none, or nobody knows.
  const std::optional<LanePattern> &of(const llvm::Value &value);
  // windowOf() is where the load or store has its elements; nothing: they lie further apart, or nobody knows, or it
  // would not pay. `isMasked`: not all lanes may be there.
  std::optional<LaneWindow> windowOf(const llvm::Instruction &access, bool isMasked);

 private:
  using Pattern = std::optional<LanePattern>;

  Pattern ofNew(const llvm::Value &value);
  Pattern ofInstruction(const llvm::Instruction &instruction);
  Pattern ofBits(const llvm::Instruction &operation, const LanePattern &a, const LanePattern &b) const;
  Pattern ofShift(const llvm::Instruction &shift, const LanePattern &a) const;
  Pattern ofExtension(const llvm::Instruction &extension, const LanePattern &a) const;
  Pattern ofAddress(const llvm::Instruction &address);
  Pattern ofShape(const llvm::Value &value) const;
  std::optional<LaneWindow> windowAt(const LanePattern &address, int64_t bytes) const;

  const LaneShapes &shapes_;
  const unsigned lanes_;
  std::map<const llvm::Value *, Pattern> known_;
};

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_LANES_LANE_PATTERNS_H
