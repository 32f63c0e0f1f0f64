#include "compiler/device/remarks.h"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/raw_ostream.h>

#include <map>
#include <mutex>
#include <set>
#include <tuple>

#include "compiler/device/passes.h"

namespace hostwarp::compiler {

namespace {

constexpr llvm::StringLiteral passName = "hostwarp";
constexpr llvm::StringLiteral ofAllLevels = "";

// Remark is one line of the report: where, and what.
using Remark = std::tuple<std::string, unsigned, unsigned, std::string>;

std::mutex kept;                                                         // guards the map
std::map<std::string, std::map<std::string, std::set<Remark>>> remarks;  // by kernel and level

// kernelOf() is the name of the kernel: of "__hwd_block.name.avx512" and the like.
std::string kernelOf(const llvm::Function &function) {
  llvm::StringRef name = function.getName();
  for (const char *prefix : {"__hwd_block.", "__hwd_shaped_block.", "__hwd_entry."}) name.consume_front(prefix);
  return llvm::demangle(name.split('.').first);
}

// levelOf(): that of code for one shape of block comes behind all others.
std::string levelOf(const llvm::Function &function) {
  if (!function.hasFnAttribute(runsBlock)) return ofAllLevels.str();
  const bool isShaped = function.getName().starts_with("__hwd_shaped_block.");
  return function.getFnAttribute("target-cpu").getValueAsString().str() + (isShaped ? " shaped" : "");
}

const char *optionOf(int kind) {
  switch (kind) {
    case llvm::DK_OptimizationRemark:
      return "-Rpass";
    case llvm::DK_OptimizationRemarkMissed:
      return "-Rpass-missed";
    default:
      return "-Rpass-analysis";
  }
}

void keep(const llvm::DiagnosticInfoIROptimization &info) {
  const llvm::Function &function = info.getFunction();
  const bool isBlock = function.hasFnAttribute(runsBlock);
  if (!info.isEnabled() || (!isBlock && info.getPassName() != passName)) return;
  const std::string kernel = kernelOf(function);
  const bool isKnown = info.isLocationAvailable();
  const llvm::DiagnosticLocation place = info.getLocation();
  const std::string text = "remark: kernel '" + kernel + "': " + info.getMsg() + " [" + optionOf(info.getKind()) + "=" +
                           info.getPassName().str() + "]";
  const std::lock_guard lock(kept);
  remarks[kernel][levelOf(function)].insert({isKnown ? place.getRelativePath().str() : "",
                                             isKnown ? place.getLine() : 0, isKnown ? place.getColumn() : 0, text});
}

bool isRemark(const llvm::DiagnosticInfo &info) {
  switch (info.getKind()) {
    case llvm::DK_OptimizationRemark:
    case llvm::DK_OptimizationRemarkMissed:
    case llvm::DK_OptimizationRemarkAnalysis:
    case llvm::DK_OptimizationRemarkAnalysisFPCommute:
    case llvm::DK_OptimizationRemarkAnalysisAliasing:
      return true;
    default:
      return false;
  }
}

template <typename Kind>
void tell(llvm::Function &function, const llvm::DiagnosticLocation &place, const std::string &text) {
  Kind remark(passName.data(), "Kernel", place, &function.getEntryBlock());
  remark << text;
  function.getContext().diagnose(remark);
}

}  // namespace

bool Remarks::handleDiagnostics(const llvm::DiagnosticInfo &info) {
  if (isRemark(info)) keep(static_cast<const llvm::DiagnosticInfoIROptimization &>(info));
  return isRemark(info) || info.getKind() == llvm::DK_OptimizationFailure;
}

void printRemarks() {
  std::set<Remark> lines;
  // x86-64, x86-64-v3, x86-64-v3 shaped, x86-64-v4 ...: the last one is what most is done for.
  for (auto &[kernel, levels] : remarks) {
    lines.merge(levels[ofAllLevels.str()]);
    lines.merge(levels.rbegin()->second);
  }
  for (const auto &[file, line, column, text] : lines) {
    if (!file.empty()) llvm::errs() << file << ":" << line << ":";
    if (column > 0) llvm::errs() << column << ":";
    llvm::errs() << (file.empty() ? "" : " ") << text << "\n";
  }
  remarks.clear();
}

void remark(RemarkKind kind, llvm::Function &function, const llvm::Instruction *at, const std::string &text) {
  const llvm::DiagnosticHandler *handler = function.getContext().getDiagHandlerPtr();
  if (!handler || !handler->isAnyRemarkEnabled(passName)) return;
  const llvm::DiagnosticLocation place = at && at->getDebugLoc() ? llvm::DiagnosticLocation(at->getDebugLoc())
                                                                 : llvm::DiagnosticLocation(function.getSubprogram());
  if (kind == RemarkKind::Passed) tell<llvm::OptimizationRemark>(function, place, text);
  if (kind == RemarkKind::Missed) tell<llvm::OptimizationRemarkMissed>(function, place, text);
  if (kind == RemarkKind::Analysis) tell<llvm::OptimizationRemarkAnalysis>(function, place, text);
}

}  // namespace hostwarp::compiler
