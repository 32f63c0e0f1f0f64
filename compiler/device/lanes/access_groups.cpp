#include "compiler/device/lanes/access_groups.h"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace hostwarp::compiler {

namespace {

constexpr int64_t mostBytesOfLane = 64;  // that one lane takes at once

bool isSimple(const llvm::Instruction &access) {
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&access)) return load->isSimple();
  auto *store = llvm::dyn_cast<llvm::StoreInst>(&access);
  return store && store->isSimple();
}

int64_t bytesOf(const llvm::DataLayout &layout, const llvm::Instruction &access) {
  llvm::Type *type = llvm::getLoadStoreType(const_cast<llvm::Instruction *>(&access));
  return static_cast<int64_t>(layout.getTypeStoreSize(type).getFixedValue());
}

bool isNumber(const llvm::Type &type) {
  return (type.isIntegerTy() && type.getIntegerBitWidth() >= 8 && llvm::isPowerOf2_32(type.getIntegerBitWidth())) ||
         type.isFloatTy() || type.isDoubleTy() || type.isHalfTy();
}

}  // namespace

AccessGroups::AccessGroups(ShapeOf shapeOf, llvm::ScalarEvolution &evolution, const llvm::BasicBlock &block,
                           unsigned lanes, bool areInStep)
    : evolution_(evolution), layout_(block.getModule()->getDataLayout()), lanes_(lanes), areInStep_(areInStep) {
  for (const llvm::Instruction &instruction : block)
    if (instruction.mayReadOrWriteMemory()) look(const_cast<llvm::Instruction &>(instruction), shapeOf);
  for (Run &run : runs_) finish(run);
  runs_.clear();
}

// look() ends the runs that the access does not leave in peace, and adds it to one.
void AccessGroups::look(llvm::Instruction &instruction, ShapeOf shapeOf) {
  llvm::erase_if(runs_, [&](Run &run) {
    if (staysApart(run, instruction)) return false;
    finish(run);
    return true;
  });
  if (!isSimple(instruction)) return;
  const Shape shape = shapeOf(*llvm::getLoadStorePointerOperand(&instruction));
  llvm::Type *type = llvm::getLoadStoreType(&instruction);
  const int64_t bytes = bytesOf(layout_, instruction);
  if ((shape.isStrided() && shape.stride() < 2 * bytes) || !isNumber(*type)) return;
  const int64_t stride = shape.isStrided() ? shape.stride() : 0;
  if (llvm::any_of(runs_, [&](Run &run) { return join(run, instruction); })) return;
  Run run{llvm::isa<llvm::StoreInst>(instruction), &instruction, type, stride, bytes, {}, {}};
  run.members[0] = &instruction;
  runs_.push_back(std::move(run));
}

bool AccessGroups::join(Run &run, llvm::Instruction &access) {
  if (run.isStore != llvm::isa<llvm::StoreInst>(access) || run.type != llvm::getLoadStoreType(&access)) return false;
  const std::optional<int64_t> at = distance(*run.leader, access);
  if (!at || *at % run.bytes != 0 || run.members.contains(*at)) return false;
  // A load must not come before a store that it has to see.
  const auto meets = [&](const std::pair<int64_t, int64_t> &other) {
    return *at < other.first + other.second && other.first < *at + run.bytes;
  };
  if (!run.isStore && llvm::any_of(run.passedOver, meets)) return false;
  run.members[*at] = &access;
  return true;
}

// staysApart(): the run's accesses may be done before or behind the other one.
bool AccessGroups::staysApart(Run &run, llvm::Instruction &other) {
  if (!run.isStore && !other.mayWriteToMemory()) return true;
  if (other.hasMetadata(llvm::LLVMContext::MD_invariant_load)) return true;
  if (!isSimple(other)) return false;
  const std::optional<int64_t> at = distance(*run.leader, other);
  if (!at) return false;
  const int64_t bytes = bytesOf(layout_, other);
  const auto meets = [&](const auto &member) { return *at < member.first + run.bytes && member.first < *at + bytes; };
  // What the thread itself does to an element has an order.
  if (run.isStore && llvm::any_of(run.members, meets)) return false;
  run.passedOver.emplace_back(*at, bytes);
  return true;
}

std::optional<int64_t> AccessGroups::distance(const llvm::Instruction &from, const llvm::Instruction &to) const {
  const auto address = [&](const llvm::Instruction &access) {
    return evolution_.getSCEV(const_cast<llvm::Value *>(llvm::getLoadStorePointerOperand(&access)));
  };
  auto *bytes = llvm::dyn_cast<llvm::SCEVConstant>(evolution_.getMinusSCEV(address(to), address(from)));
  if (!bytes || bytes->getAPInt().getSignificantBits() > 64) return std::nullopt;
  return bytes->getAPInt().getSExtValue();
}

// keepsStep(): no lane reaches what another lane's accesses are moved past.
bool AccessGroups::keepsStep(const Run &run) const {
  int64_t low = run.members.begin()->first, high = run.members.rbegin()->first + run.bytes;
  for (auto [at, bytes] : run.passedOver) {
    low = std::min(low, at);
    high = std::max(high, at + bytes);
  }
  return run.stride && high - low <= run.stride;
}

// finish() makes groups of the run's members, the largest first.
void AccessGroups::finish(Run &run) {
  if (areInStep_ && !keepsStep(run)) return;
  while (!run.members.empty()) {
    const int64_t at = run.members.begin()->first;
    const unsigned elements = takeGroup(run, at);
    if (elements >= 2) addGroup(run, at, elements);
    for (unsigned i = 0; i < std::max(elements, 1u); ++i) run.members.erase(at + i * run.bytes);
  }
}

// takeGroup() is how many elements a group that begins there has.
unsigned AccessGroups::takeGroup(const Run &run, int64_t at) const {
  const auto alignOf = [&](int64_t place) { return llvm::getLoadStoreAlignment(run.members.at(place)).value(); };
  for (unsigned elements : {16u, 8u, 4u, 3u, 2u}) {
    const int64_t bytes = elements * run.bytes;
    if (elements > lanes_ || bytes > mostBytesOfLane || (run.stride && bytes > run.stride)) continue;
    // Two or three elements pay only where nothing lies between the lanes' own.
    if (elements < 4 && bytes != run.stride) continue;
    unsigned present = 0;
    for (unsigned i = 0; i < elements; ++i) present += run.members.contains(at + i * run.bytes);
    // What nobody asks for may be read along where it lies on the same line.
    const bool mayHaveGap = !run.isStore && alignOf(at) >= static_cast<uint64_t>(bytes) && 4 * present >= 3 * elements;
    if (present == elements || mayHaveGap) return elements;
  }
  return 1;
}

void AccessGroups::addGroup(const Run &run, int64_t at, unsigned elements) {
  auto group = std::make_shared<Group>();
  group->stride = run.stride;
  group->type = run.type;
  group->align = llvm::getLoadStoreAlignment(run.members.at(at));
  for (unsigned i = 0; i < elements; ++i) {
    const auto found = run.members.find(at + i * run.bytes);
    llvm::Instruction *member = found == run.members.end() ? nullptr : found->second;
    group->members.push_back(member);
    if (!member) continue;
    groups_[member] = group;
    if (!group->first || member->comesBefore(group->first)) {
      group->first = member;
      group->firstOffset = i * run.bytes;
    }
    if (!group->last || group->last->comesBefore(member)) group->last = member;
  }
}

}  // namespace hostwarp::compiler
