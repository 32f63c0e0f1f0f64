#include "tests/unit/device/analyses.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/ErrorHandling.h>

#include "compiler/device/barrier_regions.h"
#include "compiler/device/meeting_points.h"
#include "compiler/device/uniform_values.h"

namespace hostwarp::tests {

namespace {

using namespace compiler;

llvm::SmallVector<llvm::Value *> threadValues(llvm::Function &function) {
  llvm::SmallVector<llvm::Value *> values;
  for (llvm::Argument &argument : function.args())
    if (argument.getName().starts_with("thread")) values.push_back(&argument);
  return values;
}

void printUniform(llvm::Function &function, llvm::raw_ostream &out) {
  const UniformValues uniform(function, threadValues(function));
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (instruction.hasName())
      out << "%" << instruction.getName() << ": " << (uniform.isUniform(instruction) ? "uniform" : "varying") << "\n";
  for (const llvm::BasicBlock &block : function)
    if (uniform.separates(block)) out << "%" << block.getName() << ": parts threads\n";
}

llvm::SmallVector<llvm::CallInst *> callsOf(llvm::Function &function, llvm::StringRef name) {
  llvm::SmallVector<llvm::CallInst *> calls;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        call && call->getCalledFunction() && call->getCalledFunction()->getName() == name)
      calls.push_back(call);
  return calls;
}

template <class Numbers>
void printSorted(const Numbers &numbers, unsigned exit, llvm::raw_ostream &out) {
  std::vector<unsigned> sorted(numbers.begin(), numbers.end());
  llvm::sort(sorted);
  for (unsigned number : sorted) {
    if (number == exit)
      out << " exit";
    else
      out << " " << number;
  }
}

// printRegions() knows values that get a slot by the names of their variables: demotion puts something behind them.
void printRegions(llvm::Function &function, llvm::raw_ostream &out) {
  llvm::SmallVector<llvm::CallInst *> waits = callsOf(function, "barrier");
  const llvm::SmallVector<llvm::CallInst *> points = callsOf(function, "meet"), stops = callsOf(function, "stop");
  waits.append(stops);
  const BarrierRegions regions(function, function.getEntryBlock(), threadValues(function),
                               Boundaries{waits, points, static_cast<unsigned>(stops.size())});
  if (llvm::verifyFunction(function, &llvm::errs())) llvm::report_fatal_error("the function is broken");
  for (unsigned i = 0; i < regions.regions().size(); ++i) {
    const Region &region = regions.regions()[i];
    out << "region " << i << " at %" << region.entry->getName() << ":";
    for (const llvm::BasicBlock *block : region.blocks) out << " %" << block->getName();
    out << "; then";
    printSorted(region.next, regions.exit(), out);
    out << (region.nextIsUniform ? ", all together" : "") << "\n";
  }
  for (const Slot &slot : regions.slots()) {
    out << "slot %" << slot.storage->getName().split(".reg2mem").first << ": " << (slot.uniform ? "one" : "array")
        << ", into";
    printSorted(slot.liveInto, regions.exit(), out);
    out << "\n";
  }
}

void printMeetingPoints(llvm::Function &function, llvm::raw_ostream &out) {
  const auto argument = [&](llvm::StringRef name) -> llvm::Value * {
    for (llvm::Argument &each : function.args())
      if (each.getName() == name) return &each;
    llvm::report_fatal_error("meeting-points: a parameter is missing");
  };
  const ThreadFields threads{argument("x"),      argument("y"),    argument("z"),
                             argument("linear"), argument("lane"), argument("warp")};
  const size_t count = addMeetingPoints(function, threads).size();
  function.print(out);
  out << "; " << count << " meeting points\n";
}

}  // namespace

bool printAnalysis(const std::string &name, llvm::Module &module, llvm::raw_ostream &out) {
  const auto print = name == "uniform"          ? printUniform
                     : name == "regions"        ? printRegions
                     : name == "meeting-points" ? printMeetingPoints
                                                : nullptr;
  if (!print) return false;
  for (llvm::Function &function : llvm::make_early_inc_range(module)) {
    if (function.isDeclaration()) continue;
    out << "function " << function.getName() << "\n";
    print(function, out);
  }
  return true;
}

}  // namespace hostwarp::tests
