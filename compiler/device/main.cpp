// hwcc-device: NVPTX bitcode of one translation unit, or a PTX module, in; a host object with its kernels out.
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <optional>
#include <set>

#include "compiler/device/crash_message.h"
#include "compiler/device/optimise_and_emit.h"
#include "compiler/device/passes.h"
#include "compiler/device/remarks.h"
#include "compiler/device/steps.h"
#include "compiler/device/targets.h"
#include "compiler/ptx/module_translator.h"

namespace {

using namespace hostwarp::compiler;
namespace cl = llvm::cl;

cl::OptionCategory category("hwcc-device options");
cl::list<std::string> inputs(cl::Positional, cl::OneOrMore, cl::desc("<device bitcode of each architecture, or PTX>"),
                             cl::cat(category));
cl::list<std::string> targets("targets", cl::desc("what each bitcode is for: compute_80:sm_86,compute_80:compute_80"),
                              cl::cat(category));
cl::list<std::string> outputs("o", cl::OneOrMore,
                              cl::desc("object file to write; several share large code, as many for each bitcode"),
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
cl::opt<std::string> expectedBlock("expected-block",
                                   cl::desc("x,y,z of blocks of kernels of which the code does not tell"),
                                   cl::cat(category));
cl::opt<std::string> loweredNames("lowered-names", cl::desc("file for the names of __hw_lowered_name_* targets"),
                                  cl::cat(category));
cl::opt<bool> emitLlvm("emit-llvm", cl::desc("write the final IR as text instead of an object"), cl::cat(category));
cl::opt<bool> explain("explain", cl::desc("tell which kernels run with a fiber per thread, and why"),
                      cl::cat(category));

BlockShape shapeIn(llvm::StringRef text) {
  if (text.empty()) return anyBlock;
  BlockShape shape{1, 1, 1};
  for (uint32_t &extent : shape) {
    const auto [first, rest] = text.split(',');
    if (!first.empty()) first.getAsInteger(10, extent);
    text = rest;
  }
  return shape;
}

Options readOptions() {
  Options options;
  options.source = source.empty() ? inputs[0] : source;
  llvm::StringRef(imageId).getAsInteger(16, options.imageId);
  options.optimisation = debugDevice ? 0 : std::min(level.getValue(), 3u);
  options.relocatable = relocatable;
  options.debug = debugDevice;
  options.fastMath = fastMath;
  options.maxRegisters = maxRegisters;
  options.expectedBlock = shapeIn(expectedBlock);
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
  if (!module) {
    diagnostic.print("hwcc-device", llvm::errs());
  } else if (llvm::verifyModule(*module, &llvm::errs())) {
    llvm::errs() << "hwcc-device: error: '" << options.input << "' is damaged\n";
    return nullptr;
  }
  return module;
}

int report(const DeviceModule &device) {
  for (const std::string &error : device.errors) llvm::errs() << error << "\n";
  return device.errors.empty() ? 0 : 1;
}

// compile() makes one image, and notes which managed variables it defines.
int compile(const Options &options, Image image, std::set<std::string> &managed) {
  llvm::LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<Remarks>());
  std::unique_ptr<llvm::TargetMachine> machine = makeTargetMachine(options);
  if (!machine) {
    llvm::errs() << "hwcc-device: error: this LLVM cannot generate code for the host\n";
    return 1;
  }
  const bool isPtx = llvm::StringRef(options.input).ends_with(".ptx");
  std::unique_ptr<llvm::Module> module = isPtx ? readPtx(options, *machine, context) : readBitcode(options, context);
  if (!module) return 1;
  image.managedElsewhere = managed;
  setImage(*module, image);
  DeviceModule device{options, *module, {}, {}, {}};
  if (!loweredNames.empty()) writeLoweredNames(device, loweredNames);
  runSteps(Phase::Lowering, device, *machine);
  if (!device.errors.empty()) return report(device);
  if (llvm::verifyModule(*module, &llvm::errs())) {
    llvm::errs() << "hwcc-device: internal error: the lowered module is not valid IR; please report it\n";
    return 1;
  }
  for (const Variable &variable : device.variables)
    if (variable.kind == HW_VARIABLE_MANAGED) managed.insert(variable.name);
  runSteps(Phase::Completion, device, *machine);
  optimiseAndEmit(device, *machine);
  printRemarks();
  return report(device);
}

// Code is what to make one image of: device code that is the same for all of its targets.
struct Code {
  std::string input;
  Image image;
};

std::unique_ptr<llvm::MemoryBuffer> contentOf(const std::string &file) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  return buffer ? std::move(*buffer) : nullptr;
}

bool sameContent(const std::string &one, const std::string &other) {
  const auto first = contentOf(one), second = contentOf(other);
  return first && second && first->getBuffer() == second->getBuffer();
}

// imageFor() is what the i-th input becomes an image for; nothing when its targets are none.
std::optional<Image> imageFor(size_t i) {
  nameInput(inputs[i]);
  Image image;
  const auto buffer = llvm::StringRef(inputs[i]).ends_with(".ptx") ? contentOf(inputs[i]) : nullptr;
  const auto named = buffer ? targetsOfPtx(buffer->getBuffer()) : parseTargets(i < targets.size() ? targets[i] : "");
  if (!named) {
    llvm::errs() << "hwcc-device: error: --targets=" << targets[i] << " names no architectures\n";
    return std::nullopt;
  }
  image.targets = *named;
  if (i > 0 && i < targets.size()) image.symbolSpace = llvm::StringRef(targets[i]).split(':').first.str();
  return image;
}

// joinCode() finds out which architectures the source is the same for. With -rdc=true functions of other sources, which
// may differ, make a difference.
std::optional<std::vector<Code>> joinCode() {
  std::vector<Code> result;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::optional<Image> wanted = imageFor(i);
    if (!wanted) return std::nullopt;
    const auto same =
        llvm::find_if(result, [&](const Code &code) { return !relocatable && sameContent(code.input, inputs[i]); });
    if (same == result.end()) {
      for (Code &before : result) before.image.laterSymbolSpaces.push_back(wanted->symbolSpace);
      result.push_back({inputs[i], *wanted});
    } else {
      llvm::append_range(same->image.targets, wanted->targets);
    }
  }
  return result;
}

// compileAll() makes one image after the other. Outputs that are left over become objects without anything in them.
int compileAll(const std::vector<Code> &all) {
  const size_t share = outputs.size() / inputs.size();
  std::set<std::string> managed;
  for (size_t i = 0; i < all.size(); ++i) {
    Options options = readOptions();
    options.input = all[i].input;
    nameInput(options.input);
    const auto first = outputs.begin() + static_cast<std::ptrdiff_t>(i * share);
    options.outputs.assign(first, i + 1 == all.size() ? outputs.end() : first + static_cast<std::ptrdiff_t>(share));
    if (const int status = compile(options, all[i].image, managed)) return status;
  }
  return 0;
}

}  // namespace

int main(int argc, char **argv) {
  tellOfCrashes();
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "hostwarp's device compiler: NVPTX bitcode to host objects\n");
  if (outputs.size() < inputs.size()) {
    llvm::errs() << "hwcc-device: error: each bitcode needs an object file of its own\n";
    return 1;
  }
  const std::optional<std::vector<Code>> all = joinCode();
  return all ? compileAll(*all) : 1;
}
