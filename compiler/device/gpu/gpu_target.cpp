#include "compiler/device/gpu/gpu_target.h"

#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>

#include <iterator>

#include "compiler/device/llvm_versions.h"

namespace hostwarp::compiler {

namespace {

constexpr llvm::StringLiteral triple = "nvptx64-nvidia-cuda";

// What LLVM 19 has, and the version of PTX that first knew it. Code for 9.0 may use what only this architecture has.
constexpr struct {
  unsigned architecture;
  llvm::StringLiteral name;
  unsigned ptxVersion;
} known[] = {{50, "sm_50", 63}, {52, "sm_52", 63}, {53, "sm_53", 63}, {60, "sm_60", 63}, {61, "sm_61", 63},
             {62, "sm_62", 63}, {70, "sm_70", 63}, {72, "sm_72", 63}, {75, "sm_75", 63}, {80, "sm_80", 70},
             {86, "sm_86", 71}, {87, "sm_87", 74}, {89, "sm_89", 78}, {90, "sm_90a", 80}};
constexpr unsigned specific = 90;
constexpr unsigned newestPtx = 85;  // that LLVM 19 writes

}  // namespace

std::optional<GpuTarget> parseGpuTarget(llvm::StringRef text) {
  GpuTarget target;
  target.isLoaded = text.consume_back(":loaded");
  auto [architecture, version] = text.split(':');
  if (!architecture.consume_front("sm_") || architecture.getAsInteger(10, target.architecture)) return std::nullopt;
  if (!version.empty() && (!version.consume_front("ptx") || version.getAsInteger(10, target.ptxVersion)))
    return std::nullopt;
  target.ptxVersion = std::min(target.ptxVersion, newestPtx);
  return target.architecture < known[0].architecture ? std::nullopt : std::optional(target);
}

std::unique_ptr<llvm::TargetMachine> makeGpuMachine(const GpuTarget &target) {
  llvm::InitializeAllTargetInfos();
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllAsmPrinters();
  std::string error;
  const llvm::Target *const backEnd = llvm::TargetRegistry::lookupTarget(triple.str(), error);
  if (!backEnd) return nullptr;
  const auto *architecture = std::begin(known);
  for (const auto &candidate : known)
    if (candidate.architecture <= target.architecture) architecture = &candidate;
  const bool isForOne = target.isForOne && architecture->architecture == target.architecture;
  const llvm::StringRef name = !isForOne && architecture->architecture == specific ? "sm_90" : architecture->name;
  const std::string features = "+ptx" + std::to_string(std::max(target.ptxVersion, architecture->ptxVersion));
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;  // the front end marks what may contract
  return std::unique_ptr<llvm::TargetMachine>(backEnd->createTargetMachine(
      TripleOrName(triple), name, features, options, llvm::Reloc::PIC_, std::nullopt, llvm::CodeGenOptLevel::Default));
}

}  // namespace hostwarp::compiler
