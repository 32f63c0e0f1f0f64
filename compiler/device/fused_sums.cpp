#include "compiler/device/fused_sums.h"

#include <llvm/ADT/Hashing.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>

#include "compiler/device/abi_functions.h"

namespace hostwarp::compiler {

namespace {

// nowhere() is a place for what has none, of a function that debuggers are not told of.
llvm::DILocation *nowhere(llvm::Module &module) {
  llvm::DIBuilder builder(module);
  llvm::DIFile *file = builder.createFile("-", "");
  const auto emission = llvm::DICompileUnit::NoDebug;
  builder.createCompileUnit(llvm::dwarf::DW_LANG_C_plus_plus, file, "", true, "", 0, "", emission);
  llvm::DISubroutineType *type = builder.createSubroutineType(builder.getOrCreateTypeArray({}));
  llvm::DISubprogram *function = builder.createFunction(file, "", "", file, 0, type, 0, llvm::DINode::FlagZero,
                                                        llvm::DISubprogram::SPFlagDefinition);
  builder.finalize();
  return llvm::DILocation::get(module.getContext(), 0, 0, function);
}

// placeCalls(): what is inlined by a call without a place would keep one that is not of the function.
void placeCalls(llvm::Function &function) {
  llvm::DISubprogram *own = function.getSubprogram();
  if (!own) return;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && !call->getDebugLoc())
      call->setDebugLoc(llvm::DILocation::get(function.getContext(), 0, 0, own));
}

// placeOf() is null where the operation's place is lost.
const llvm::DILocation *placeOf(const llvm::Instruction &operation) {
  const llvm::DILocation *place = operation.getDebugLoc();
  return place && (place->getLine() != 0 || place->getDiscriminator() != 0) ? place : nullptr;
}

// isArithmetic(): of those formats, or a change of a sign.
bool isArithmetic(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (call) return call->getCalledFunction() && call->getCalledFunction()->getName().starts_with(fusible);
  return instruction.getType()->isFPOrFPVectorTy() ? llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator>(instruction)
                                                   : instruction.getOpcode() == llvm::Instruction::Xor;
}

// sourceOf() is where a value that is not calculated comes from.
uint64_t sourceOf(const llvm::Value &value) {
  constexpr unsigned steps = 4;
  const llvm::Value *at = &value;
  for (unsigned i = 0; i < steps; ++i) {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(at);
    if (!instruction) break;
    if (const llvm::DILocation *place = placeOf(*instruction))
      return llvm::hash_combine(place->getLine(), place->getColumn());
    if (!llvm::isa<llvm::CastInst, llvm::BinaryOperator>(instruction)) break;
    at = instruction->getOperand(0);
  }
  return 0;
}

uint64_t shapeOf(const llvm::Value &value, unsigned depth) {
  const auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction || depth == 0 || !isArithmetic(*instruction)) return sourceOf(value);
  const auto *call = llvm::dyn_cast<llvm::CallInst>(instruction);
  const llvm::StringRef function = call ? call->getCalledFunction()->getName() : "";
  llvm::SmallVector<uint64_t, 2> operands;
  for (const llvm::Use &operand : call ? call->args() : instruction->operands())
    operands.push_back(shapeOf(*operand, depth - 1));
  llvm::sort(operands);
  return llvm::hash_combine(instruction->getOpcode(), function,
                            llvm::hash_combine_range(operands.begin(), operands.end()));
}

}  // namespace

void numberOperations(llvm::Module &module, llvm::ArrayRef<llvm::Instruction *> operations) {
  llvm::DILocation *unknown = nullptr;
  unsigned number = 0;
  for (llvm::Instruction *operation : operations) {
    llvm::DILocation *place = operation->getDebugLoc();
    if (!place && !unknown) unknown = nowhere(module);
    operation->setDebugLoc((place ? place : unknown)->cloneWithDiscriminator(++number));
  }
  if (unknown)
    for (llvm::Function &function : module) placeCalls(function);
}

FusedSums::Identity FusedSums::identityOf(const llvm::Instruction &operation) {
  constexpr unsigned depth = 6;
  Identity identity;
  identity.shape = shapeOf(operation, depth);
  uint64_t key = 0;
  for (const llvm::DILocation *place = placeOf(operation); place; place = place->getInlinedAt()) {
    const llvm::DISubprogram *function = place->getScope()->getSubprogram();
    key = llvm::hash_combine(key, place->getLine(), place->getColumn(), place->getDiscriminator(),
                             function ? function->getLinkageName() : "", function ? function->getName() : "");
    identity.places.push_back(key);
  }
  return identity;
}

bool FusedSums::areSame(const Identity &one, const Identity &other) {
  const size_t both = std::min(one.places.size(), other.places.size());
  return both > 0 ? one.places[both - 1] == other.places[both - 1] : one.shape == other.shape;
}

void FusedSums::note(uint64_t key, const Choice &choice) {
  const auto [known, isNew] = choices_.try_emplace(key, choice);
  const std::optional<Identity> &one = known->second.product, &other = choice.product;
  if (!isNew && (one.has_value() != other.has_value() || (one && !areSame(*one, *other))))
    known->second.isClear = false;
}

void FusedSums::note(const llvm::Instruction &sum, const llvm::Instruction *product) {
  Choice choice;
  if (product) choice.product = identityOf(*product);
  const Identity identity = identityOf(sum);
  for (const uint64_t place : identity.places) note(place, choice);
  note(identity.shape, choice);
}

// choiceOf() prefers the sum that was inlined by the same calls.
const FusedSums::Choice *FusedSums::choiceOf(const Identity &sum) const {
  for (const uint64_t place : llvm::reverse(sum.places))
    if (const auto found = choices_.find(place); found != choices_.end() && found->second.isClear)
      return &found->second;
  const auto found = choices_.find(sum.shape);
  return found != choices_.end() && found->second.isClear ? &found->second : nullptr;
}

std::optional<unsigned> FusedSums::sideOf(const llvm::Instruction &sum, const Products &products,
                                          std::optional<unsigned> own) const {
  const Choice *choice = choiceOf(identityOf(sum));
  if (!choice) return own;
  if (!choice->product) return std::nullopt;
  for (const unsigned side : {0U, 1U})
    if (products[side] && areSame(identityOf(*products[side]), *choice->product)) return side;
  if (!products[0] != !products[1]) return products[0] ? 0U : 1U;
  return own;
}

}  // namespace hostwarp::compiler
