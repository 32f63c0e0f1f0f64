#include "compiler/device/optimise_and_emit.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/CorrelatedValuePropagation.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimpleLoopUnswitch.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include <mutex>
#include <thread>

#include "compiler/device/abi_functions.h"
#include "compiler/device/check_calls.h"
#include "compiler/device/chosen_locals.h"
#include "compiler/device/code_parts.h"
#include "compiler/device/flush_subnormals.h"
#include "compiler/device/llvm_versions.h"
#include "compiler/device/local_checks.h"
#include "compiler/device/memory_spaces.h"
#include "compiler/device/passes.h"
#include "compiler/device/remarks.h"
#include "compiler/device/rolled_waits.h"
#include "compiler/device/shuffle_pairs.h"
#include "compiler/device/targets.h"
#include "compiler/device/thread_notes.h"
#include "compiler/device/vector_math.h"
#include "compiler/device/wide_reads.h"

namespace hostwarp::compiler {

std::unique_ptr<llvm::TargetMachine> makeTargetMachine(const Options &options) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  const std::string triple = llvm::sys::getDefaultTargetTriple();
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target) return nullptr;
  llvm::TargetOptions targetOptions;
  targetOptions.AllowFPOpFusion = llvm::FPOpFusion::Standard;  // the front end marks what may contract
  targetOptions.UseInitArray = true;                           // not every linker runs what stands in .ctors
  auto level = options.optimisation == 0   ? llvm::CodeGenOptLevel::None
               : options.optimisation == 1 ? llvm::CodeGenOptLevel::Less
                                           : llvm::CodeGenOptLevel::Default;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      TripleOrName(triple), "generic", "", targetOptions, llvm::Reloc::PIC_, std::nullopt, level));
}

static llvm::OptimizationLevel pipelineLevel(unsigned level) {
  if (level == 0) return llvm::OptimizationLevel::O0;
  if (level == 1) return llvm::OptimizationLevel::O1;
  return level == 2 ? llvm::OptimizationLevel::O2 : llvm::OptimizationLevel::O3;
}

namespace {

// Pipeline holds the analyses that a run of LLVM's passes shares.
class Pipeline {
 public:
  // `inlining` says how large a function may be that is inlined; 0: as LLVM thinks.
  explicit Pipeline(llvm::TargetMachine &machine, int inlining = 0) : builder_(&machine, tuning(inlining)) {
    addSpinYields(builder_);
    dropLocalChecks(builder_);
    tellOfLoops(builder_);
    keepWaitsRolled(builder_);
    leaveOutWideReads(builder_);
    readChosenLocals(builder_);
    pairShuffles(builder_);
    keepAccessOrder(builder_);
    makeLaneVectors(builder_);
    writeThreadNotes(builder_);
    unlockSharedAtomics(builder_);
    prefetchAhead(builder_);
    bringGatherIndices(builder_);
    loopOverLanes(builder_);
    keepGatherRegistersApart(builder_);
    convertVectors(builder_);
    orderZeros(builder_);
    builder_.registerModuleAnalyses(modules_);
    builder_.registerCGSCCAnalyses(sccs_);
    builder_.registerFunctionAnalyses(functions_);
    builder_.registerLoopAnalyses(loops_);
    builder_.crossRegisterProxies(loops_, functions_, sccs_, modules_);
  }

  llvm::PassBuilder &builder() { return builder_; }
  void run(llvm::ModulePassManager passes, llvm::Module &module) { passes.run(module, modules_); }
  void run(llvm::FunctionPassManager &passes, llvm::Function &function) { passes.run(function, functions_); }

 private:
  static llvm::PipelineTuningOptions tuning(int inlining) {
    llvm::PipelineTuningOptions options;
    if (inlining > 0) options.InlinerThreshold = inlining;
    return options;
  }

  llvm::PassBuilder builder_;
  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager sccs_;
  llvm::ModuleAnalysisManager modules_;
};

// hoistFromThreadLoops() takes out of the loops over threads what all threads have in common; with `copies`, branches
// too, for which the loops become two.
llvm::FunctionPassManager hoistFromThreadLoops(bool copies) {
  llvm::LoopPassManager loops;
  loops.addPass(llvm::LoopRotatePass());
  loops.addPass(llvm::LICMPass(llvm::LICMOptions()));
  // A branch that all threads take together would keep the loop from becoming vectors.
  loops.addPass(llvm::SimpleLoopUnswitchPass(/*NonTrivial=*/copies));
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::EarlyCSEPass(true));
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops), true));
  // What is left of such a branch is a choice again.
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::IndVarSimplifyPass()));
  return passes;
}

}  // namespace

namespace {

// inlining() takes in the functions that must be.
llvm::ModulePassManager inlining() {
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass());
  passes.addPass(llvm::GlobalDCEPass());
  return passes;
}

llvm::ModulePassManager inliningAndTidying() {
  llvm::FunctionPassManager tidying;
  tidying.addPass(llvm::EarlyCSEPass());
  tidying.addPass(llvm::InstCombinePass());
  tidying.addPass(llvm::SimplifyCFGPass());
  llvm::ModulePassManager passes = inlining();
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(tidying)));
  return passes;
}

llvm::ModulePassManager promotion() {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass());
  llvm::ModulePassManager all;
  all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(passes)));
  return all;
}

}  // namespace

// instructionsWithoutChecks() is how large the module would be in the usual build: a check has a conversion beside it.
static unsigned instructionsWithoutChecks(const llvm::Module &module) {
  const llvm::Function *const check = module.getFunction(checkAccess);
  return module.getInstructionCount() - (check ? 2 * check->getNumUses() : 0);
}

void simplify(DeviceModule &device, llvm::TargetMachine &machine) {
  if (device.options.optimisation == 0) return;
  // Device functions are written to be inlined; a call that is left keeps the loop over threads from being vectorised.
  // In modules as large as a library's, the time that it takes counts more.
  constexpr unsigned largeModule = 20000;
  constexpr int generous = 1000;
  Pipeline pipeline(machine, instructionsWithoutChecks(device.module) < largeModule ? generous : 0);
  pipeline.run(pipeline.builder().buildModuleSimplificationPipeline(pipelineLevel(device.options.optimisation),
                                                                    llvm::ThinOrFullLTOPhase::None),
               device.module);
}

void settleArithmetic(DeviceModule &device, llvm::TargetMachine &machine) {
  if (device.options.optimisation == 0) {
    flushSubnormals(device);
    callMathLibrary(device, fusible);  // the runtime does not have these
    return;
  }
  // A checked build has kept variables in memory, of the headers' functions too, until now.
  if (device.options.build == Build::Checked) Pipeline(machine).run(promotion(), device.module);
  for (llvm::Function &function : device.module) letUnroll(function);
  fuseProducts(device.module, device.fusedSums.get());
  const bool wasApart = flushSubnormals(device);
  // The optimiser knows what follows from sin(x), but not from its code: so this comes last.
  if (!callMathLibrary(device) && !wasApart) return;
  fuseProducts(device.module, nullptr);
  Pipeline(machine).run(inliningAndTidying(), device.module);
}

// asksForWarp(): the code reads a warp's number.
static bool asksForWarp(const llvm::Function &entry) {
  return llvm::any_of(llvm::instructions(entry), [](const llvm::Instruction &instruction) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    return call && call->getCalledFunction() && call->getCalledFunction()->getName() == "hw_read_warpid";
  });
}

void simplifyForShape(llvm::Function &entry, llvm::TargetMachine &machine) {
  llvm::LoopPassManager loops;
  unrollSteps(loops);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(loops)));
  // What follows from the largest number that a warp has: that all are whole, for one. It makes signed operations
  // unsigned ones, which lanes/ sees through less well: so it is only for code that asks.
  if (asksForWarp(entry)) passes.addPass(llvm::CorrelatedValuePropagationPass());
  passes.addPass(llvm::EarlyCSEPass(true));
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass());
  Pipeline(machine).run(passes, entry);
}

void simplifyThreadLoops(DeviceModule &device, llvm::TargetMachine &machine) {
  Pipeline pipeline(machine);
  llvm::FunctionPassManager small = hoistFromThreadLoops(true), large = hoistFromThreadLoops(false);
  for (const Kernel &kernel : device.kernels)
    for (llvm::Function *loop : blockEntries(kernel)) pipeline.run(isLarge(*loop) ? large : small, *loop);
}

namespace {

// letDifferencesWrap(): programs leave an int's range and come back (the last tile of a scan over as many elements as
// an int can count), since a GPU subtracts in 32 bits what indexes memory. Told that nothing wraps, this machine's code
// would widen both operands first.
void letDifferencesWrap(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (instruction.getOpcode() == llvm::Instruction::Sub) instruction.setHasNoSignedWrap(false);
}

// optimise(): of large functions among `largeCode` the time that they take to compile counts more.
void optimise(llvm::Module &module, llvm::TargetMachine &machine, unsigned optimisation, bool largeCode) {
  Pipeline pipeline(machine);
  llvm::OptimizationLevel level = pipelineLevel(optimisation);
  if (level == llvm::OptimizationLevel::O0) {
    pipeline.run(pipeline.builder().buildO0DefaultPipeline(level), module);
  } else {
    const bool masked = offerMasks(module);
    pipeline.run(pipeline.builder().buildModuleOptimizationPipeline(level, llvm::ThinOrFullLTOPhase::None), module);
    withdrawMasks(module);
    if (masked) Pipeline(machine).run(inlining(), module);
    letDifferencesWrap(module);
    for (llvm::Function &function : module)
      if (largeCode && isLarge(function)) rematerialise(function);
  }
  lowerSelf(module);
}

// setCodegenOption() sets what LLVM offers on its command line only, for all threads.
void setCodegenOption(llvm::StringRef name, llvm::StringRef value) {
  auto &options = llvm::cl::getRegisteredOptions();
  const auto option = options.find(name);
  if (option == options.end()) return;
  option->second->reset();  // it may be given once
  option->second->addOccurrence(1, name, value);
}

// addCodegen() adds what writes an object; false: this LLVM cannot. Two passes take a time that grows with the square
// of a function's size, and large functions are no faster for them. Which passes there are is decided here, by options
// that all threads share: hence the lock.
bool addCodegen(llvm::legacy::PassManager &passes, llvm::TargetMachine &machine, llvm::raw_pwrite_stream &out,
                bool isLarge) {
  static std::mutex deciding;
  const std::lock_guard lock(deciding);
  for (const llvm::StringRef option : {"disable-cgp", "disable-lsr"}) setCodegenOption(option, isLarge ? "1" : "0");
  return !machine.addPassesToEmitFile(passes, out, nullptr, objectFile);
}

// write() returns what went wrong, or nothing.
std::string write(llvm::Module &module, llvm::TargetMachine &machine, const std::string &path, bool asText,
                  bool isLarge) {
  std::error_code failed;
  llvm::raw_fd_ostream out(path, failed, llvm::sys::fs::OF_None);
  if (failed) return "hwcc-device: error: cannot write '" + path + "': " + failed.message();
  if (asText) {
    module.print(out, nullptr);
    return "";
  }
  llvm::legacy::PassManager codegen;
  if (!addCodegen(codegen, machine, out, isLarge))
    return "hwcc-device: error: this LLVM cannot write object files for the host";
  codegen.run(module);
  return "";
}

// emitPart() is thread-safe. A part without code becomes an object without content.
std::string emitPart(const Options &options, const Bitcode &bitcode, const std::string &path) {
  llvm::LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<Remarks>(options.report));
  std::unique_ptr<llvm::TargetMachine> machine = makeTargetMachine(options);
  std::unique_ptr<llvm::Module> part;
  bool isLarge = false;
  if (bitcode.empty()) {
    part = std::make_unique<llvm::Module>("empty", context);
    setTriple(*part, machine->getTargetTriple());
    part->setDataLayout(machine->createDataLayout());
  } else {
    const llvm::StringRef bytes(bitcode.data(), bitcode.size());
    part = llvm::cantFail(llvm::parseBitcodeFile(llvm::MemoryBufferRef(bytes, "part"), context));
    isLarge = hasLargeCode(*part);
    optimise(*part, *machine, options.optimisation, isLarge);
  }
  return write(*part, *machine, path, false, isLarge);
}

// emitParts() writes the outputs from the first one on that the caller has not written.
void emitParts(DeviceModule &device, const std::vector<Bitcode> &parts, size_t first) {
  const std::vector<std::string> &outputs = device.options.outputs;
  std::vector<std::string> failures(outputs.size());
  std::vector<std::jthread> threads;
  for (size_t i = first; i < outputs.size(); ++i)
    threads.emplace_back(
        [&, i] { failures[i] = emitPart(device.options, i < parts.size() ? parts[i] : Bitcode(), outputs[i]); });
  threads.clear();
  for (const std::string &failure : failures)
    if (!failure.empty()) device.errors.push_back(failure);
}

void emitWhole(DeviceModule &device, llvm::TargetMachine &machine) {
  const Options &options = device.options;
  const bool isLarge = hasLargeCode(device.module);
  optimise(device.module, machine, options.optimisation, isLarge);
  const std::string failure = write(device.module, machine, options.outputs[0], options.emitLlvm, isLarge);
  if (!failure.empty()) device.errors.push_back(failure);
}

// scheduleQuickly() chooses a scheduler of instruction selection whose time does not grow with the square of a block's
// length. The one before register allocation still runs.
void scheduleQuickly() { setCodegenOption("pre-RA-sched", "list-burr"); }

// splitRegionsQuickly() ends the search for where a value is best kept in a register sooner than LLVM would.
void splitRegionsQuickly() { setCodegenOption("grow-region-complexity-budget", "200"); }

// followNoVariables() saves the search for where variables are: optimised code has line tables only.
void followNoVariables() { setCodegenOption("experimental-debug-variable-locations", "false"); }

// bindEarly() has other libraries' functions looked up when the program is loaded: at a first call the dynamic linker
// saves all vector registers, 3 KiB with AVX-512, on the stack of a GPU's thread.
void bindEarly(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (function.isDeclaration() && !function.isIntrinsic()) function.addFnAttr(llvm::Attribute::NonLazyBind);
  module.setRtLibUseGOT();
}

}  // namespace

void optimiseAndEmit(DeviceModule &device, llvm::TargetMachine &machine) {
  const Options &options = device.options;
  llvm::ModulePassManager dropUnused;
  dropUnused.addPass(llvm::GlobalDCEPass());
  Pipeline(machine).run(std::move(dropUnused), device.module);
  bindEarly(device.module);
  followNoVariables();
  if (hasLargeCode(device.module)) {
    scheduleQuickly();
    splitRegionsQuickly();
  }
  const unsigned most = options.emitLlvm ? 1 : static_cast<unsigned>(options.outputs.size());
  const std::string unique = llvm::utohexstr(options.imageId, true) + imageOf(device.module).symbolSpace;
  const std::vector<Bitcode> parts = splitIntoParts(device.module, most, unique);
  if (parts.empty()) emitWhole(device, machine);
  emitParts(device, parts, parts.empty() ? 1 : 0);
}

}  // namespace hostwarp::compiler
