// The variables of a PTX module, and what the module says about its kernels, in the form that clang gives them.
#ifndef HOSTWARP_COMPILER_PTX_MODULE_VARIABLES_H
#define HOSTWARP_COMPILER_PTX_MODULE_VARIABLES_H

#include <llvm/IR/Module.h>

#include "compiler/ptx/emitter.h"

namespace hostwarp::compiler::ptx {

class ModuleVariables {
 public:
  // `symbols` gets the variables' names. `borrows`: those that are .extern are found by pointers, which whoever loads
  // the module sets.
  ModuleVariables(llvm::Module &module, Symbols &symbols, bool borrows)
      : module_(module), symbols_(symbols), borrows_(borrows) {}

  // declare() makes the variable; initialize() gives it its value, once all names are known. Both return "" or what is
  // wrong.
  std::string declare(const Variable &variable);
  std::string initialize(const Variable &variable);
  void markKernel(llvm::Function &function, const PerformanceDirectives &performance);
  // finish() writes the annotations; to be called once, last.
  void finish();

 private:
  void borrow(const Variable &variable);
  void annotate(llvm::GlobalValue &target, const std::string &text, llvm::ArrayRef<unsigned> numbers = {});
  llvm::Constant *addressOf(const InitialValue &value, std::string &error);
  llvm::Constant *withAddresses(const Variable &variable, std::string &error);
  llvm::Constant *numbers(const Variable &variable);

  llvm::Module &module_;
  Symbols &symbols_;
  bool borrows_;
  std::vector<llvm::Constant *> annotations_;
};

}  // namespace hostwarp::compiler::ptx

#endif  // HOSTWARP_COMPILER_PTX_MODULE_VARIABLES_H
