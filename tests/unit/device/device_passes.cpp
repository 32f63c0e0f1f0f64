// Runs steps of hwcc-device on textual IR and prints what has become of it: `device_passes <file> <what to run>`. With
// the module come, as comments, the facts that steps keep beside it.
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>

#include "compiler/device/chosen_locals.h"
#include "compiler/device/code_parts.h"
#include "compiler/device/memory_spaces.h"
#include "compiler/device/optimise_and_emit.h"
#include "compiler/device/passes.h"
#include "compiler/device/remarks.h"
#include "compiler/device/rolled_waits.h"
#include "compiler/device/shuffle_pairs.h"
#include "compiler/device/steps.h"
#include "tests/unit/device/analyses.h"
#include "tests/unit/device/facts.h"

namespace {

using namespace hostwarp::compiler;
namespace cl = llvm::cl;

cl::OptionCategory category("device_passes options");
cl::opt<std::string> input(cl::Positional, cl::Required, cl::desc("<IR>"), cl::cat(category));
cl::list<std::string> only("only", cl::CommaSeparated, cl::desc("run these steps"), cl::cat(category));
cl::opt<std::string> until("until", cl::desc("run all steps up to this one"), cl::cat(category));
cl::opt<unsigned> parts("parts", cl::desc("print what splitIntoParts() makes of it"), cl::cat(category));
cl::opt<std::string> analysis("analysis", cl::desc("uniform, regions or meeting-points: print this instead"),
                              cl::cat(category));
cl::opt<unsigned> level("O", cl::Prefix, cl::init(2), cl::cat(category));
cl::opt<bool> relocatable("rdc", cl::cat(category));
cl::opt<bool> explain("explain", cl::cat(category));
cl::opt<bool> checked("checked", cl::desc("the checked build"), cl::cat(category));
cl::opt<bool> followed("followed", cl::desc("the checked build that follows values"), cl::cat(category));
cl::opt<bool> inPlace("in-place", cl::desc("the checked build that tells of accesses where they are made"),
                      cl::cat(category));
cl::opt<bool> debug("debug", cl::desc("as with -G"), cl::cat(category));
cl::opt<bool> borrowsManaged("borrow-managed", cl::cat(category));
cl::opt<std::string> kernelName("kernel", cl::desc("the specialised build for blocks of 128 x 1 x 1"),
                                cl::cat(category));
cl::opt<unsigned> maxRegisters("max-registers", cl::cat(category));
cl::opt<size_t> mostBlockCode("most-block-code", cl::init(Options().mostBlockCode), cl::cat(category));
cl::opt<size_t> mostBetweenWaits("most-between-waits", cl::init(Options().mostBetweenWaits), cl::cat(category));

// LlvmRun is a run of LLVM's passes with those that hostwarp registers.
class LlvmRun {
 public:
  explicit LlvmRun(llvm::TargetMachine &machine) : builder_(&machine) {
    builder_.registerModuleAnalyses(modules_);
    builder_.registerCGSCCAnalyses(sccs_);
    builder_.registerFunctionAnalyses(functions_);
    builder_.registerLoopAnalyses(loops_);
    builder_.crossRegisterProxies(loops_, functions_, sccs_, modules_);
  }

  void spinYields(llvm::Module &module) {
    addSpinYields(builder_);
    builder_.buildO0DefaultPipeline(llvm::OptimizationLevel::O0).run(module, modules_);
  }

  void rolledWaits(llvm::Module &module) {
    keepWaitsRolled(builder_);
    llvm::LoopPassManager passes;
    builder_.invokeLateLoopOptimizationsEPCallbacks(passes, llvm::OptimizationLevel::O2);
    runOnLoops(std::move(passes), module);
  }

  // lateScalar() runs a pass that stands near the end of LLVM's simplification; `add` registers it.
  void lateScalar(llvm::Module &module, void (*add)(llvm::PassBuilder &)) {
    add(builder_);
    llvm::FunctionPassManager passes;
    builder_.invokeScalarOptimizerLateEPCallbacks(passes, llvm::OptimizationLevel::O2);
    llvm::ModulePassManager all;
    all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(passes)));
    all.run(module, modules_);
  }

  void unrolledSteps(llvm::Module &module) {
    llvm::LoopPassManager passes;
    unrollSteps(passes);
    runOnLoops(std::move(passes), module);
  }

  // atEnd() runs a pass that stands behind LLVM's optimisation; `add` registers it.
  void atEnd(llvm::Module &module, void (*add)(llvm::PassBuilder &)) {
    add(builder_);
    llvm::ModulePassManager passes;
    builder_.invokeOptimizerLastEPCallbacks(passes, llvm::OptimizationLevel::O2);
    passes.run(module, modules_);
  }

  void accessOrder(llvm::Module &module) {
    keepAccessOrder(builder_);
    llvm::FunctionPassManager passes;
    builder_.invokeVectorizerStartEPCallbacks(passes, llvm::OptimizationLevel::O2);
    llvm::ModulePassManager all;
    all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(passes)));
    all.run(module, modules_);
  }

 private:
  void runOnLoops(llvm::LoopPassManager passes, llvm::Module &module) {
    llvm::ModulePassManager all;
    all.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::createFunctionToLoopPassAdaptor(std::move(passes))));
    all.run(module, modules_);
  }

  llvm::PassBuilder builder_;
  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager sccs_;
  llvm::ModuleAnalysisManager modules_;
};

// runNamed() returns false when there is no such step.
bool runNamed(llvm::StringRef name, DeviceModule &device, llvm::TargetMachine &machine) {
  if (name == "addSpinYields") return LlvmRun(machine).spinYields(device.module), true;
  if (name == "keepWaitsRolled") return LlvmRun(machine).rolledWaits(device.module), true;
  if (name == "readChosenLocals") return LlvmRun(machine).lateScalar(device.module, readChosenLocals), true;
  if (name == "pairShuffles") return LlvmRun(machine).lateScalar(device.module, pairShuffles), true;
  if (name == "unrollSteps") return LlvmRun(machine).unrolledSteps(device.module), true;
  if (name == "keepAccessOrder") return LlvmRun(machine).accessOrder(device.module), true;
  if (name == "prefetchAhead") return LlvmRun(machine).atEnd(device.module, prefetchAhead), true;
  if (name == "bringGatherIndices") return LlvmRun(machine).atEnd(device.module, bringGatherIndices), true;
  if (name == "keepGatherRegistersApart") return LlvmRun(machine).atEnd(device.module, keepGatherRegistersApart), true;
  if (name == "loopOverLanes") return LlvmRun(machine).atEnd(device.module, loopOverLanes), true;
  if (name == "convertVectors") return LlvmRun(machine).atEnd(device.module, convertVectors), true;
  if (name == "orderZeros") return LlvmRun(machine).atEnd(device.module, orderZeros), true;
  if (name == "unlockSharedAtomics") return LlvmRun(machine).atEnd(device.module, unlockSharedAtomics), true;
  for (const Step &step : steps())
    if (step.name == name) return step.run(device, machine), true;
  llvm::errs() << "device_passes: no step is called " << name << "\n";
  return false;
}

bool runUntil(llvm::StringRef last, DeviceModule &device, llvm::TargetMachine &machine) {
  for (const Step &step : steps()) {
    if (step.phase == Phase::Separate) break;
    step.run(device, machine);
    if (step.name == last) return true;
  }
  llvm::errs() << "device_passes: no step is called " << last << "\n";
  return false;
}

// finish() prints the module and says whether all is well with it.
int finish(const DeviceModule &device) {
  for (const std::string &error : device.errors) llvm::errs() << error << "\n";
  if (llvm::verifyModule(device.module, &llvm::errs())) return 2;
  device.module.print(llvm::outs(), nullptr);
  hostwarp::tests::printFacts(device, llvm::outs());
  return device.errors.empty() ? 0 : 1;
}

int printParts(DeviceModule &device) {
  unsigned number = 0;
  for (const Bitcode &bitcode : splitIntoParts(device.module, parts, "unique")) {
    llvm::LLVMContext context;
    const llvm::StringRef bytes(bitcode.data(), bitcode.size());
    auto part = llvm::cantFail(llvm::parseBitcodeFile(llvm::MemoryBufferRef(bytes, "part"), context));
    llvm::outs() << "; part " << number++ << "\n";
    if (llvm::verifyModule(*part, &llvm::errs())) return 2;
    part->print(llvm::outs(), nullptr);
  }
  llvm::outs() << "; " << number << " parts\n";
  return 0;
}

Options readOptions() {
  Options options;
  options.input = input;
  options.outputs = {"-"};
  options.source = "source.cu";
  options.imageId = 0x1234;
  options.optimisation = level;
  options.relocatable = relocatable;
  options.maxRegisters = maxRegisters;
  options.mostBlockCode = mostBlockCode;
  options.mostBetweenWaits = mostBetweenWaits;
  options.explain = explain;
  if (checked || followed || inPlace) options.build = Build::Checked;
  options.tellsInPlace = followed || inPlace;
  options.followsValues = followed;
  if (!kernelName.empty()) {
    options.build = Build::Specialised;
    options.kernel = kernelName;
    options.expectedBlock = {128, 1, 1};
  }
  options.debug = debug;
  options.borrowsManaged = borrowsManaged;
  return options;
}

}  // namespace

int main(int argc, char **argv) {
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "single steps of hwcc-device\n");
  const Options options = readOptions();
  llvm::LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<Remarks>());
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module = llvm::parseIRFile(input, diagnostic, context);
  const std::unique_ptr<llvm::TargetMachine> machine = makeTargetMachine(options);
  if (!module || !machine) {
    diagnostic.print("device_passes", llvm::errs());
    return 2;
  }
  DeviceModule device{options, *module, {}, {}, {}};
  if (!until.empty() && !runUntil(until, device, *machine)) return 2;
  for (const std::string &name : only)
    if (!runNamed(name, device, *machine)) return 2;
  printRemarks();
  if (!analysis.empty()) return hostwarp::tests::printAnalysis(analysis, *module, llvm::outs()) ? 0 : 2;
  return parts ? printParts(device) : finish(device);
}
