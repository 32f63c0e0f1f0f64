// Emits the statements of an asm statement or of a function's body.
#ifndef HOSTWARP_COMPILER_PTX_BODY_BUILDER_H
#define HOSTWARP_COMPILER_PTX_BODY_BUILDER_H

#include <functional>

#include "compiler/ptx/emitter.h"

namespace hostwarp::compiler::ptx {

class BodyBuilder {
 public:
  using Locate = std::function<void(const Statement &)>;

  // `locate` is told of each statement before it is emitted.
  explicit BodyBuilder(Emitter &emitter, Locate locate = nullptr) : emitter_(emitter), locate_(std::move(locate)) {}

  // build() emits the statements up to the first error, which is the emitter's.
  void build(const std::vector<Statement> &statements);

 private:
  void prepareLabels(const std::vector<Statement> &statements);
  void enterScope();
  void leaveScope();
  void emit(const Statement &statement);
  void emitGuarded(const Instruction &instruction);
  void declareMemory(const Variable &variable);

  Emitter &emitter_;
  Locate locate_;
  std::vector<std::map<std::string, llvm::BasicBlock *>> scopeLabels_, visible_;
  size_t entered_ = 0;
};

// sharedVariable() makes the variable in shared memory, whether it belongs to a function or to the module.
llvm::GlobalVariable *sharedVariable(llvm::Module &module, const Variable &variable);

}  // namespace hostwarp::compiler::ptx

#endif  // HOSTWARP_COMPILER_PTX_BODY_BUILDER_H
