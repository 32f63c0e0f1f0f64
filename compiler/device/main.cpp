// hwcc-device: NVPTX bitcode of one translation unit, or a PTX module, in; a host object with its kernels out.
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include "compiler/device/optimise_and_emit.h"
#include "compiler/device/passes.h"
#include "compiler/device/quiet_pragmas.h"
#include "compiler/device/steps.h"
#include "compiler/ptx/module_translator.h"

namespace {

using namespace hostwarp::compiler;
namespace cl = llvm::cl;

cl::OptionCategory category("hwcc-device options");
cl::opt<std::string> input(cl::Positional, cl::Required, cl::desc("<device bitcode or PTX>"), cl::cat(category));
cl::list<std::string> outputs("o", cl::OneOrMore, cl::desc("object file to write; several share large code"),
                              cl::cat(category));
cl::opt<std::string> imageId("image-id", cl::desc("64-bit id shared with the host object, hexadecimal"),
                             cl::cat(category));
cl::opt<std::string> source("source", cl::desc("the user's source file"), cl::cat(category));
cl::opt<unsigned> level("O", cl::Prefix, cl::init(2), cl::desc("optimisation level 0..3"), cl::cat(category));
cl::opt<bool> relocatable("rdc", cl::desc("separate compilation"), cl::cat(category));
cl::opt<bool> debugInfo("g", cl::desc("accepted for the driver's sake: the bitcode decides"), cl::cat(category));
cl::opt<bool> debugDevice("G", cl::desc("debuggable device code"), cl::cat(category));
cl::opt<bool> fastMath("fast-math", cl::desc("accepted: the front end marks operations"), cl::cat(category));
cl::opt<unsigned> maxRegisters("max-registers", cl::desc("of a kernel that says nothing of registers itself"),
                               cl::cat(category));
cl::opt<std::string> loweredNames("lowered-names", cl::desc("file for the names of __hw_lowered_name_* targets"),
                                  cl::cat(category));
cl::opt<bool> emitLlvm("emit-llvm", cl::desc("write the final IR as text instead of an object"), cl::cat(category));
cl::opt<bool> explain("explain", cl::desc("tell which kernels run with a fiber per thread, and why"),
                      cl::cat(category));

Options readOptions() {
  Options options;
  options.input = input;
  options.outputs.assign(outputs.begin(), outputs.end());
  options.source = source.empty() ? input : source;
  llvm::StringRef(imageId).getAsInteger(16, options.imageId);
  options.optimisation = debugDevice ? 0 : std::min(level.getValue(), 3u);
  options.relocatable = relocatable;
  options.debug = debugDevice;
  options.fastMath = fastMath;
  options.maxRegisters = maxRegisters;
  options.emitLlvm = emitLlvm;
  options.explain = explain;
  return options;
}

// readPtx() and readBitcode() return null when the input is not valid, which they have said then.
std::unique_ptr<llvm::Module> readPtx(const Options &options, llvm::TargetMachine &machine,
                                      llvm::LLVMContext &context) {
  auto text = llvm::MemoryBuffer::getFile(options.input);
  if (!text) {
    llvm::errs() << options.input << ": error: " << text.getError().message() << "\n";
    return nullptr;
  }
  auto module = std::make_unique<llvm::Module>(options.source, context);
  module->setDataLayout(machine.createDataLayout());
  // Programs hand PTX over as a string, whose last byte is zero.
  const llvm::StringRef content = (*text)->getBuffer();
  const std::string error =
      ptx::translateModule(content.substr(0, content.find('\0')), options.source, !options.relocatable, *module);
  if (error.empty()) return module;
  llvm::errs() << error << "\n";
  return nullptr;
}

std::unique_ptr<llvm::Module> readBitcode(const Options &options, llvm::LLVMContext &context) {
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module = llvm::parseIRFile(options.input, diagnostic, context);
  if (!module) diagnostic.print("hwcc-device", llvm::errs());
  return module;
}

int report(const DeviceModule &device) {
  for (const std::string &error : device.errors) llvm::errs() << error << "\n";
  return device.errors.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char **argv) {
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "hostwarp's device compiler: NVPTX bitcode to host objects\n");
  Options options = readOptions();
  llvm::LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<QuietAboutPragmas>());
  std::unique_ptr<llvm::TargetMachine> machine = makeTargetMachine(options);
  if (!machine) {
    llvm::errs() << "hwcc-device: error: this LLVM cannot generate code for the host\n";
    return 1;
  }
  const bool isPtx = llvm::StringRef(options.input).ends_with(".ptx");
  std::unique_ptr<llvm::Module> module = isPtx ? readPtx(options, *machine, context) : readBitcode(options, context);
  if (!module) return 1;
  DeviceModule device{options, *module, {}, {}, {}};
  if (!loweredNames.empty()) writeLoweredNames(device, loweredNames);
  runSteps(Phase::Lowering, device, *machine);
  if (!device.errors.empty()) return report(device);
  if (llvm::verifyModule(*module, &llvm::errs())) {
    llvm::errs() << "hwcc-device: internal error: the lowered module is not valid IR; please report it\n";
    return 1;
  }
  runSteps(Phase::Completion, device, *machine);
  optimiseAndEmit(device, *machine);
  return report(device);
}
