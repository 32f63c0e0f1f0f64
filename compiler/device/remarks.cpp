#include "compiler/device/remarks.h"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <compare>
#include <map>
#include <mutex>
#include <set>
#include <tuple>

#include "compiler/device/passes.h"

namespace hostwarp::compiler {

namespace {

constexpr llvm::StringLiteral passName = "hostwarp";
constexpr llvm::StringLiteral ofAllLevels = "";

// Remark is one line: where, what, and the option that asks for such lines.
struct Remark {
  std::string file;
  unsigned line = 0, column = 0;
  std::string text;
  std::string option;
  auto operator<=>(const Remark &) const = default;

  std::string place() const {
    return file + (line > 0 ? ":" + std::to_string(line) : "") + (column > 0 ? ":" + std::to_string(column) : "");
  }
};

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
  const std::lock_guard lock(kept);
  remarks[kernel][levelOf(function)].insert(
      {isKnown ? place.getRelativePath().str() : "", isKnown ? place.getLine() : 0, isKnown ? place.getColumn() : 0,
       info.getMsg(), std::string(optionOf(info.getKind())) + "=" + info.getPassName().str()});
}

// mostDone() is what is said of the kernel, and of the code that most is done for: the last one of x86-64, x86-64-v3,
// x86-64-v3 shaped, x86-64-v4 ...
std::set<Remark> mostDone(const std::map<std::string, std::set<Remark>> &levels) {
  std::set<Remark> lines;
  if (const auto general = levels.find(ofAllLevels.str()); general != levels.end()) lines = general->second;
  lines.insert(levels.rbegin()->second.begin(), levels.rbegin()->second.end());
  return lines;
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

bool Remarks::isAnalysisRemarkEnabled(llvm::StringRef pass) const {
  return forReport_ ? pass == passName : DiagnosticHandler::isAnalysisRemarkEnabled(pass);
}

bool Remarks::isMissedOptRemarkEnabled(llvm::StringRef pass) const {
  return forReport_ ? pass == passName : DiagnosticHandler::isMissedOptRemarkEnabled(pass);
}

bool Remarks::isPassedOptRemarkEnabled(llvm::StringRef pass) const {
  return forReport_ ? pass == passName : DiagnosticHandler::isPassedOptRemarkEnabled(pass);
}

bool Remarks::isAnyRemarkEnabled() const { return forReport_ || DiagnosticHandler::isAnyRemarkEnabled(); }

void printRemarks() {
  std::set<std::tuple<Remark, std::string>> lines;
  for (const auto &[kernel, levels] : remarks)
    for (const Remark &remark : mostDone(levels)) lines.emplace(remark, kernel);
  for (const auto &[remark, kernel] : lines) {
    if (!remark.file.empty()) llvm::errs() << remark.place() << ": ";
    llvm::errs() << "remark: kernel '" << kernel << "': " << remark.text << " [" << remark.option << "]\n";
  }
  remarks.clear();
}

void printReport(const std::vector<std::string> &kernels) {
  for (const std::string &mangled : kernels) {
    const std::string name = llvm::demangle(mangled);
    llvm::outs() << name << "\n";
    const auto found = remarks.find(name);
    if (found == remarks.end()) continue;
    // What is said of the kernel as a whole stands at the kernel, and comes first.
    std::vector<Remark> lines;
    llvm::append_range(lines, mostDone(found->second));
    std::ranges::stable_partition(lines, [](const Remark &remark) { return remark.column == 0; });
    for (const Remark &remark : lines)
      llvm::outs() << "  " << remark.place() << (remark.file.empty() ? "" : ": ") << remark.text << "\n";
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
