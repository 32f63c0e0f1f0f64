#include "compiler/device/thread_notes.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>

#include "compiler/device/lane_meetings.h"
#include "compiler/device/passes.h"

namespace hostwarp::compiler {

namespace {

constexpr llvm::StringLiteral bundleName = "hostwarp.thread";
constexpr llvm::StringLiteral lanesName = "hostwarp.lanes";

bool isOurs(const llvm::OperandBundleDef &bundle) {
  return bundle.getTag() == bundleName || bundle.getTag() == lanesName;
}

// writeNote() stores what the note says, and calls without it.
void writeNote(llvm::CallBase &call) {
  llvm::IRBuilder<> builder(&call);
  const ThreadNote note = threadNoteOf(call);
  for (auto [field, value] : llvm::zip(threadFields, note.fields))
    builder.CreateStore(value, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), note.self, field.offset));
  llvm::SmallVector<llvm::OperandBundleDef, 1> others;
  call.getOperandBundlesAsDefs(others);
  llvm::erase_if(others, isOurs);
  llvm::CallBase *plain = llvm::CallBase::Create(&call, others, &call);
  call.replaceAllUsesWith(plain);
  plain->takeName(&call);
  call.eraseFromParent();
}

class ThreadNotesPass : public llvm::PassInfoMixin<ThreadNotesPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
    if (!function.hasFnAttribute(runsBlock)) return llvm::PreservedAnalyses::all();
    llvm::SmallVector<llvm::CallBase *> calls;
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block)
        if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && hasThreadNote(*call))
          calls.push_back(call);
    for (llvm::CallBase *call : calls) writeNote(*call);
    return calls.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
  }
};

}  // namespace

// asksAboutAddress(): all threads of a block that one function runs get the same answer.
static bool asksAboutAddress(llvm::StringRef name) {
  return name == "hw_is_local" || name == "hw_is_constant" || name == "hw_is_grid_constant";
}

bool mayLookAtThread(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  if (call.isInlineAsm()) return false;
  if (callee == nullptr) return true;
  if (callee->isIntrinsic() || laneMeetingOf(call)) return false;
  // All modules are for this machine by now.
  static const llvm::TargetLibraryInfoImpl library{llvm::Triple(call.getModule()->getTargetTriple())};
  llvm::LibFunc known;
  return !library.getLibFunc(callee->getName(), known) && !callee->getName().starts_with("hw_math_") &&
         callee->getName() != "hw_self" && !asksAboutAddress(callee->getName());
}

void noteThread(llvm::CallBase &call, llvm::Value &self, const ThreadFields &fields, llvm::Function *lanes) {
  llvm::SmallVector<llvm::Value *> inputs{&self};
  for (const ThreadField &field : threadFields) inputs.push_back(fields.*field.value);
  llvm::SmallVector<llvm::OperandBundleDef, 2> bundles;
  call.getOperandBundlesAsDefs(bundles);
  bundles.emplace_back(bundleName.str(), inputs);
  if (lanes) bundles.emplace_back(lanesName.str(), llvm::ArrayRef<llvm::Value *>(lanes));
  llvm::CallBase *noted = llvm::CallBase::Create(&call, bundles, &call);
  // What LLVM has found out about the callee holds for one thread.
  noted->setMemoryEffects(llvm::MemoryEffects::unknown());
  if (llvm::Function *callee = call.getCalledFunction()) callee->setMemoryEffects(llvm::MemoryEffects::unknown());
  call.replaceAllUsesWith(noted);
  noted->takeName(&call);
  call.eraseFromParent();
}

bool hasThreadNote(const llvm::CallBase &call) { return call.getOperandBundle(bundleName).has_value(); }

llvm::Value *notedThread(const llvm::CallBase &call) {
  const auto note = call.getOperandBundle(bundleName);
  constexpr auto isLinear = [](const ThreadField &field) { return field.value == &ThreadFields::linear; };
  const auto place = std::ranges::find_if(threadFields, isLinear) - threadFields.begin();
  return note->Inputs[1 + static_cast<size_t>(place)];
}

ThreadNote threadNoteOf(const llvm::CallBase &call) {
  const auto note = call.getOperandBundle(bundleName);
  return {note->Inputs[0], llvm::SmallVector<llvm::Value *, 6>(llvm::drop_begin(note->Inputs))};
}

llvm::Function *notedLanes(const llvm::CallBase &call) {
  const auto note = call.getOperandBundle(lanesName);
  return note ? llvm::cast<llvm::Function>(note->Inputs[0].get()) : nullptr;
}

void writeThreadNotes(llvm::PassBuilder &builder) {
  builder.registerOptimizerEarlyEPCallback([](llvm::ModulePassManager &passes, auto &&...) {
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(ThreadNotesPass()));
  });
}

}  // namespace hostwarp::compiler
