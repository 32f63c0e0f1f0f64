// Remarks tell users what became of their kernels, and why: hwcc -Rpass=hostwarp, -Rpass-missed, -Rpass-analysis.
#ifndef HOSTWARP_COMPILER_DEVICE_REMARKS_H
#define HOSTWARP_COMPILER_DEVICE_REMARKS_H

#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <string>
#include <vector>

namespace hostwarp::compiler {

// Remarks takes what LLVM reports. It keeps the remarks whose pass the command line's expressions name, or, for a
// report, all of this compiler's own, as far as they are about functions for whole blocks, until they are printed.
// Other reports go nowhere, as far as they are wishes for a GPU that do not matter here: pragmas such as unroll.
class Remarks : public llvm::DiagnosticHandler {
 public:
  explicit Remarks(bool forReport = false) : forReport_(forReport) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override;
  bool isAnalysisRemarkEnabled(llvm::StringRef pass) const override;
  bool isMissedOptRemarkEnabled(llvm::StringRef pass) const override;
  bool isPassedOptRemarkEnabled(llvm::StringRef pass) const override;
  bool isAnyRemarkEnabled() const override;

 private:
  bool forReport_;
};

// printRemarks() writes, in the order of the source, what has been kept of the instruction-set level that most is known
// of.
void printRemarks();

// printReport() writes to standard output what has been kept of these kernels (mangled), one after the other. pre: it
// is kept for a report.
void printReport(const std::vector<std::string> &kernels);

enum class RemarkKind { Passed, Missed, Analysis };

// remark() says something of the kernel whose entry or block function `function` is, at the place of `at`, or, without
// one, at the kernel's. Thread-safe for different contexts.
void remark(RemarkKind kind, llvm::Function &function, const llvm::Instruction *at, const std::string &text);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_REMARKS_H
