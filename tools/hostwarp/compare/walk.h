// The walk through two runs, side by side, up to where they first differ.
#ifndef HOSTWARP_TOOLS_HOSTWARP_COMPARE_WALK_H
#define HOSTWARP_TOOLS_HOSTWARP_COMPARE_WALK_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tools/hostwarp/compare/side.h"
#include "tools/hostwarp/compare/value_comparison.h"

namespace hostwarp::tool::compare {

// Criteria is what counts as a difference, and how memory is read.
struct Criteria {
  Tolerance tolerance;
  const ElementType *type = nullptr;  // of all memory; null: as the kernels say, or guessed
};

// Memory is what differs: an allocation, a variable, or what was copied to the host.
struct Memory {
  compare_wire::Made made;
  std::string place;
  std::optional<ValueDifference> values;  // nothing where one side has digests only
  compare_wire::Digest firstDigest, secondDigest;
};

struct Difference {
  // The work after which the runs differ; that of the second side, where the first has ended.
  compare_wire::Work work;
  uint64_t launch = 0;             // how many kernels and graphs were launched, this one included
  std::string lastKernel;          // the last one before, where the work is none
  std::vector<Memory> memories{};  // those that differ, the arguments' first
  std::string sequence{};          // what is different about the work itself, in a sentence; empty: only memory is
};

struct Comparison {
  uint64_t launches = 0, works = 0;
  std::optional<Difference> difference;
  std::string problem;  // why the runs could not be compared; empty: they could
};

// compareSides() goes on as long as both say the same. Blocks.
Comparison compareSides(Side &first, Side &second, const Criteria &criteria);

// titleOf() is "kernel scale(float*, int), grid (2,1,1), block (128,1,1)".
std::string titleOf(const compare_wire::Work &work);
bool isLaunch(const compare_wire::Work &work);
// nameOf() is "allocation 2" or "variable counter".
std::string nameOf(const compare_wire::Made &made);

}  // namespace hostwarp::tool::compare

#endif  // HOSTWARP_TOOLS_HOSTWARP_COMPARE_WALK_H
