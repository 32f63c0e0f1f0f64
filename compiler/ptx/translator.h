// Turns inline PTX into LLVM IR: each asm call becomes a call of an internal function that is always inlined.
#ifndef HOSTWARP_COMPILER_PTX_TRANSLATOR_H
#define HOSTWARP_COMPILER_PTX_TRANSLATOR_H

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <map>
#include <string>

namespace hostwarp::compiler::ptx {

class Translator {
 public:
  // tellsOfAsync: the code calls hw_check_async() and its like; without, none of it is left.
  explicit Translator(llvm::Module &module, bool tellsOfAsync = false) : module_(module), tellsOfAsync_(tellsOfAsync) {}

  // translate() replaces the asm call and returns "", or leaves the call and returns what is wrong with it. Statements
  // of one function share the carry. An empty statement stays: it is a compiler barrier on the host too. inKernel: the
  // call stands in a __global__ function.
  std::string translate(llvm::CallInst &call, bool inKernel);

  // finish() links what the translated code uses of the library; to be called once, after the last translate().
  // Returns "" or what is wrong.
  std::string finish();

 private:
  llvm::Function *functionFor(llvm::CallInst &call, bool inKernel, std::string &error);

  llvm::Module &module_;
  // carryOf() is where statements of a function leave the carry for each other.
  llvm::Value *carryOf(llvm::Function &function);

  bool tellsOfAsync_;
  std::map<std::string, llvm::Function *> functions_;  // equal statements share one function
  llvm::DenseMap<llvm::Function *, llvm::Value *> carries_;
};

}  // namespace hostwarp::compiler::ptx

#endif  // HOSTWARP_COMPILER_PTX_TRANSLATOR_H
