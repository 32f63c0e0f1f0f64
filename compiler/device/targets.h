// The architectures that device code is compiled for, as hwcc and PTX name them.
#ifndef HOSTWARP_COMPILER_DEVICE_TARGETS_H
#define HOSTWARP_COMPILER_DEVICE_TARGETS_H

#include <llvm/IR/Module.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "include/hostwarp/device_targets.h"

namespace hostwarp::compiler {

// parseTargets() reads "compute_80:sm_86,compute_80:compute_80,compute_90:any": what the source was compiled as, and
// what that is for. Nothing when that is not what the text says; no target when it is empty.
std::optional<std::vector<hw_target>> parseTargets(llvm::StringRef text);

// formatTargets() is the text that parseTargets() reads.
std::string formatTargets(const std::vector<hw_target> &targets);

// targetsOfPtx() are those of PTX: what its directive .target says; none when that is not known.
std::vector<hw_target> targetsOfPtx(llvm::StringRef text);

// Image is what a module becomes besides its code: for whom, and what it shares with other images of the same source.
// Functions of each call those of the same architecture, and managed variables exist once.
struct Image {
  std::vector<hw_target> targets;
  std::string symbolSpace;                     // stands before the names of external symbols; empty: nothing
  std::vector<std::string> laterSymbolSpaces;  // of the images that come after this one
  std::set<std::string> managedElsewhere;      // variables that an image before this one defines
};

// setImage() notes it in the module, imageOf() reads it again.
void setImage(llvm::Module &module, const Image &image);
Image imageOf(const llvm::Module &module);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_TARGETS_H
