#include "compiler/device/code_parts.h"

#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace hostwarp::compiler {

namespace {

// Less is not worth a thread, and reading the module once more.
constexpr size_t instructionsPerPart = 1600;

using Owners = llvm::DenseMap<const llvm::GlobalValue *, unsigned>;

size_t countInstructions(const llvm::Module &module) {
  return std::accumulate(module.begin(), module.end(), size_t{0}, [](size_t sum, const llvm::Function &function) {
    return sum + function.getInstructionCount();
  });
}

// SizedFunctions are some of a module's, the largest first. LLVM counts instructions one by one: so sizes are kept.
struct SizedFunctions {
  std::vector<std::pair<size_t, const llvm::Function *>> all;
  size_t instructions = 0;
};

SizedFunctions functionsOf(const llvm::Module &module, bool large) {
  SizedFunctions functions;
  for (const llvm::Function &function : module) {
    if (function.isDeclaration() || isLarge(function) != large) continue;
    functions.all.emplace_back(function.getInstructionCount(), &function);
    functions.instructions += functions.all.back().first;
  }
  std::ranges::stable_sort(functions.all, std::greater(), [](const auto &sized) { return sized.first; });
  return functions;
}

// share() gives each function to the one of the parts from `first` to before `end` that has least so far.
void share(const SizedFunctions &functions, unsigned first, unsigned end, Owners &owners) {
  std::vector<size_t> load(end - first);
  for (const auto &[instructions, function] : functions.all) {
    const auto least = std::ranges::min_element(load);
    *least += instructions;
    owners[function] = first + static_cast<unsigned>(least - load.begin());
  }
}

// partsForLarge() is how many of the parts have nothing but large functions, an instruction of which takes twice the
// time: most become vectors yet.
unsigned partsForLarge(size_t large, size_t others, unsigned parts) {
  if (large == 0 || others == 0) return large == 0 ? 0 : parts;
  const size_t all = 2 * large + others;
  return std::clamp(static_cast<unsigned>((parts * 2 * large + all / 2) / all), 1U, parts - 1);
}

// ownersOfFunctions() gives each function a part; its aliases go with it.
Owners ownersOfFunctions(const llvm::Module &module, unsigned parts) {
  const SizedFunctions large = functionsOf(module, true), others = functionsOf(module, false);
  const unsigned firstOfOthers = partsForLarge(large.instructions, others.instructions, parts);
  Owners owners;
  share(large, 0, firstOfOthers, owners);
  share(others, firstOfOthers, parts, owners);
  for (const llvm::GlobalAlias &alias : module.aliases())
    if (const auto owner = owners.find(alias.getAliaseeObject()); owner != owners.end()) owners[&alias] = owner->second;
  return owners;
}

// shareAll() makes every symbol one that other parts may refer to, which none of them drops.
void shareAll(llvm::Module &module, const std::string &unique) {
  for (llvm::GlobalValue &value : module.global_values()) {
    if (value.hasLinkOnceLinkage()) value.setLinkage(llvm::GlobalValue::getWeakLinkage(value.hasLinkOnceODRLinkage()));
    if (!value.hasLocalLinkage() || value.getName().starts_with("llvm.")) continue;
    value.setName((value.hasName() ? value.getName() : "__hwd_unnamed") + "." + unique);
    value.setLinkage(llvm::GlobalValue::ExternalLinkage);
    value.setVisibility(llvm::GlobalValue::HiddenVisibility);
    value.setDSOLocal(true);
  }
}

// showConstants() lets the optimiser of this part see the values of another part's constants.
void showConstants(const llvm::Module &module, llvm::ValueToValueMapTy &map) {
  for (const llvm::GlobalVariable &variable : module.globals()) {
    if (!variable.isConstant() || !variable.hasInitializer() || variable.isInterposable()) continue;
    if (variable.hasSection()) continue;  // what the image carries is long, and no code reads it
    auto &copy = *llvm::cast<llvm::GlobalVariable>(map[&variable]);
    copy.setInitializer(llvm::MapValue(variable.getInitializer(), map));
    copy.setLinkage(llvm::GlobalValue::AvailableExternallyLinkage);
  }
}

void dropListsOfSymbols(llvm::Module &part) {
  for (llvm::GlobalVariable &variable : llvm::make_early_inc_range(part.globals()))
    if (variable.getName().starts_with("llvm.")) variable.eraseFromParent();
}

// The first part has all variables.
Bitcode makePart(const llvm::Module &module, const Owners &owners, unsigned part) {
  llvm::ValueToValueMapTy map;
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module, map, [&](const llvm::GlobalValue *value) {
    const auto owner = owners.find(value);
    return (owner == owners.end() ? 0 : owner->second) == part;
  });
  if (part > 0) {
    showConstants(module, map);
    dropListsOfSymbols(*copy);
  }
  Bitcode bitcode;
  llvm::raw_svector_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(*copy, stream);
  return bitcode;
}

}  // namespace

bool isLarge(const llvm::Function &function) {
  constexpr size_t usual = 4000;
  return function.getInstructionCount() > usual;
}

bool hasLargeCode(const llvm::Module &module) { return llvm::any_of(module, isLarge); }

std::vector<Bitcode> splitIntoParts(llvm::Module &module, unsigned most, const std::string &unique) {
  const auto wanted = static_cast<unsigned>(std::min<size_t>(most, countInstructions(module) / instructionsPerPart));
  if (wanted < 2) return {};
  const Owners owners = ownersOfFunctions(module, wanted);
  shareAll(module, unique);
  std::vector<Bitcode> parts;
  for (unsigned part = 0; part < wanted; ++part) parts.push_back(makePart(module, owners, part));
  return parts;
}

}  // namespace hostwarp::compiler
