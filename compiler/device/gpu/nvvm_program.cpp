#include "compiler/device/gpu/nvvm_program.h"

#include <llvm/AsmParser/LLParser.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/AutoUpgrade.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include <set>

#include "compiler/device/gpu/gpu_code.h"
#include "compiler/device/gpu/libdevice_calls.h"
#include "compiler/device/gpu/nvvm_intrinsics.h"
#include "compiler/device/gpu/typed_pointers.h"
#include "compiler/device/llvm_versions.h"

namespace hostwarp::compiler {

namespace {

using ModuleRef = std::unique_ptr<llvm::Module>;

llvm::Error nvvmFailure(const llvm::Twine &what) {
  return llvm::createStringError(std::errc::invalid_argument, "%s", what.str().c_str());
}

std::string textOf(const llvm::SMDiagnostic &diagnostic) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  diagnostic.print("", stream, false);
  return llvm::StringRef(text).rtrim().str();
}

// locateCalls() gives calls without a line that of their function, where both caller and callee have lines: LLVM takes
// all lines of a module for broken otherwise, NVVM does not.
void locateCalls(llvm::Module &module) {
  for (llvm::Function &function : module) {
    llvm::DISubprogram *const caller = function.getSubprogram();
    if (!caller) continue;
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (!call || instruction.getDebugLoc() || !call->getCalledFunction()) continue;
      if (!call->getCalledFunction()->getSubprogram()) continue;
      instruction.setDebugLoc(llvm::DILocation::get(module.getContext(), caller->getScopeLine(), 0, caller));
    }
  }
}

// parseText() reads IR as text. LLVM's own function for it drops all lines that it takes for broken before any can be
// mended.
llvm::Expected<ModuleRef> parseText(llvm::StringRef text, llvm::StringRef name, llvm::LLVMContext &context) {
  // What programs hand over as a string may end with its zero byte.
  const std::string upgraded = withOpaquePointers(text.substr(0, text.find('\0')));
  llvm::SMDiagnostic diagnostic;
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(upgraded, name), llvm::SMLoc());
  auto module = std::make_unique<llvm::Module>(name, context);
  if (llvm::LLParser(upgraded, sources, diagnostic, module.get(), nullptr, context).Run(/*UpgradeDebugInfo=*/false))
    return nvvmFailure(textOf(diagnostic));
  locateCalls(*module);
  llvm::UpgradeDebugInfo(*module);
  return module;
}

// readModule() reads either form; layout and triple of all modules are the target's.
llvm::Expected<ModuleRef> readModule(const std::string &file, const llvm::TargetMachine &machine,
                                     llvm::LLVMContext &context) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer) return nvvmFailure(file + ": " + buffer.getError().message());
  const llvm::StringRef content = (*buffer)->getBuffer();
  const auto *bytes = reinterpret_cast<const unsigned char *>(content.data());
  auto module = llvm::isBitcode(bytes, bytes + content.size())
                    ? llvm::parseBitcodeFile((*buffer)->getMemBufferRef(), context)
                    : parseText(content, file, context);
  if (!module) return module;
  setTriple(**module, machine.getTargetTriple());
  (*module)->setDataLayout(machine.createDataLayout());
  replaceNvvmIntrinsics(**module);
  std::string complaint;
  llvm::raw_string_ostream stream(complaint);
  bool isDebugInfoBroken = false;
  if (llvm::verifyModule(**module, &stream, &isDebugInfoBroken)) return nvvmFailure(llvm::StringRef(complaint).rtrim());
  if (isDebugInfoBroken) llvm::StripDebugInfo(**module);
  return module;
}

llvm::Expected<ModuleRef> linkAll(const NvvmProgram &program, const llvm::TargetMachine &machine,
                                  llvm::LLVMContext &context) {
  auto all = std::make_unique<llvm::Module>("nvvm", context);
  setTriple(*all, machine.getTargetTriple());
  all->setDataLayout(machine.createDataLayout());
  llvm::Linker linker(*all);
  for (const std::string &file : program.modules) {
    auto module = readModule(file, machine, context);
    if (!module) return module.takeError();
    if (linker.linkInModule(std::move(*module))) return nvvmFailure("the modules cannot be linked");
  }
  std::set<std::string> own;
  for (const llvm::Function &function : *all)
    if (!function.isDeclaration()) own.insert(function.getName().str());
  for (const std::string &file : program.lazyModules) {
    auto module = readModule(file, machine, context);
    if (!module) return module.takeError();
    llvm::StripDebugInfo(**module);
    if (linker.linkInModule(std::move(*module), llvm::Linker::Flags::LinkOnlyNeeded))
      return nvvmFailure("a module cannot be linked");
  }
  for (llvm::Function &function : *all)
    if (!function.isDeclaration() && !own.contains(function.getName().str()))
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
  return all;
}

// keepInPlace(): what assembly that does more than compute tells may depend on who executes it together, as an active
// mask does. NVVM takes that for granted, LLVM wants to be told.
void keepInPlace(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const auto *assembly = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
    if (assembly && assembly->hasSideEffects()) call->setConvergent();
  }
}

// describe() notes in the module and its functions what the options ask for.
void describe(const NvvmProgram &program, llvm::Module &module) {
  module.setModuleFlag(llvm::Module::Override, "nvvm-reflect-ftz", program.flushes);
  for (llvm::Function &function : module) {
    for (const char *name : {"target-cpu", "target-features"}) function.removeFnAttr(name);
    if (program.flushes) function.addFnAttr("denormal-fp-math-f32", "preserve-sign");
    if (program.optimises) function.removeFnAttr(llvm::Attribute::OptimizeNone);
    keepInPlace(function);
  }
}

// approximateQuotients(): LLVM has that as an option of command lines only.
void approximateQuotients() {
  if (llvm::cl::Option *const option = llvm::cl::getRegisteredOptions().lookup("nvptx-prec-divf32"))
    option->addOccurrence(0, "nvptx-prec-divf32", "0");
}

}  // namespace

llvm::Expected<std::string> compileNvvm(const NvvmProgram &program) {
  const std::unique_ptr<llvm::TargetMachine> machine = makeGpuMachine(program.target);
  if (!machine) return nvvmFailure("this LLVM has no back end for NVPTX");
  // NVVM fuses nothing that it does not optimise.
  const bool fuses = program.fuses && program.optimises;
  machine->Options.AllowFPOpFusion = fuses ? llvm::FPOpFusion::Fast : llvm::FPOpFusion::Strict;
  if (!program.exactQuotients) approximateQuotients();
  llvm::LLVMContext context;
  auto all = linkAll(program, *machine, context);
  if (!all) return all.takeError();
  if (program.onlyVerifies) return "";
  replaceLibdeviceCalls(**all, program.flushes, program.exactRoots);
  describe(program, **all);
  if (!program.optimises) machine->setOptLevel(llvm::CodeGenOptLevel::None);
  optimiseForGpu(**all, *machine, program.optimises ? 3 : 0);
  return writePtx(**all, *machine);
}

}  // namespace hostwarp::compiler
