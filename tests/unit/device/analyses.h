// What the analyses behind block entries say of a function, as text.
//
// The functions are ordinary ones: their parameters whose names begin with "thread" differ between threads. In those
// for "regions" the first block does nothing but branch to the second, and calls of @barrier(), @meet() and @stop() are
// the boundaries.
#ifndef HOSTWARP_TESTS_UNIT_DEVICE_ANALYSES_H
#define HOSTWARP_TESTS_UNIT_DEVICE_ANALYSES_H

#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

#include <string>

namespace hostwarp::tests {

// printAnalysis() writes, for each function with a body,
//  - uniform: "%value: uniform" or "%value: varying" of each value that has a name, and "%block: parts threads" of each
//    block behind which threads may go different ways;
//  - regions: "region 0 at %block: <its blocks>; then 1 exit", with ", all together" where no two threads go different
//    ways, and "slot %value: one, into 1" or "array" of what is kept for later regions;
//  - meeting-points: the function with calls of hw_meeting_point(). Its parameters are called x, y, z, linear, lane,
//  warp.
// false: there is no such analysis.
bool printAnalysis(const std::string &name, llvm::Module &module, llvm::raw_ostream &out);

}  // namespace hostwarp::tests

#endif  // HOSTWARP_TESTS_UNIT_DEVICE_ANALYSES_H
