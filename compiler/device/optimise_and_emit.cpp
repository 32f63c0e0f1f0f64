#include "compiler/device/optimise_and_emit.h"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Host.h>

#include "compiler/device/passes.h"

namespace hostwarp::compiler {

std::unique_ptr<llvm::TargetMachine> makeTargetMachine(const Options &options) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  std::string triple = llvm::sys::getDefaultTargetTriple(), error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target) return nullptr;
  llvm::TargetOptions targetOptions;
  targetOptions.AllowFPOpFusion = llvm::FPOpFusion::Standard;  // the front end marks what may contract
  targetOptions.UseInitArray = true;                           // not every linker runs what stands in .ctors
  auto level = options.optimisation == 0   ? llvm::CodeGenOptLevel::None
               : options.optimisation == 1 ? llvm::CodeGenOptLevel::Less
                                           : llvm::CodeGenOptLevel::Default;
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, "generic", "", targetOptions, llvm::Reloc::PIC_, std::nullopt, level));
}

static llvm::OptimizationLevel pipelineLevel(unsigned level) {
  if (level == 0) return llvm::OptimizationLevel::O0;
  if (level == 1) return llvm::OptimizationLevel::O1;
  return level == 2 ? llvm::OptimizationLevel::O2 : llvm::OptimizationLevel::O3;
}

void optimise(DeviceModule &device, llvm::TargetMachine &machine) {
  llvm::PassBuilder builder(&machine);
  addSpinYields(builder);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  llvm::OptimizationLevel level = pipelineLevel(device.options.optimisation);
  llvm::ModulePassManager passes = level == llvm::OptimizationLevel::O0 ? builder.buildO0DefaultPipeline(level)
                                                                        : builder.buildPerModuleDefaultPipeline(level);
  passes.run(device.module, modules);
  lowerSelf(device);
}

static bool emitObject(DeviceModule &device, llvm::TargetMachine &machine, llvm::raw_pwrite_stream &out) {
  llvm::legacy::PassManager codegen;
  if (machine.addPassesToEmitFile(codegen, out, nullptr, llvm::CodeGenFileType::ObjectFile)) return false;
  codegen.run(device.module);
  return true;
}

bool emit(DeviceModule &device, llvm::TargetMachine &machine) {
  std::error_code failed;
  llvm::raw_fd_ostream out(device.options.output, failed, llvm::sys::fs::OF_None);
  if (failed) {
    device.errors.push_back("hwcc-device: error: cannot write '" + device.options.output + "': " + failed.message());
    return false;
  }
  if (device.options.emitLlvm) {
    device.module.print(out, nullptr);
    return true;
  }
  return emitObject(device, machine, out);
}

}  // namespace hostwarp::compiler
