#include "compiler/ptx/body_builder.h"

#include <llvm/IR/Module.h>

#include "compiler/ptx/call.h"
#include "compiler/ptx/opcodes.h"

namespace hostwarp::compiler::ptx {

namespace {

using Handler = void (*)(Emitter &);

const llvm::StringMap<Handler> &handlers() {
  static const llvm::StringMap<Handler> table{
#define OPCODE(name, function) {name, function},
#include "compiler/ptx/opcodes.def"
#undef OPCODE
  };
  return table;
}

}  // namespace

llvm::GlobalVariable *sharedVariable(llvm::Module &module, const Variable &variable) {
  constexpr unsigned sharedSpace = 3;
  llvm::Type *type = storageType(module.getContext(), variable);
  const bool isDynamic = variable.linkage == Linkage::Extern;
  auto *made = new llvm::GlobalVariable(
      module, type, false, isDynamic ? llvm::GlobalValue::ExternalLinkage : llvm::GlobalValue::InternalLinkage,
      isDynamic ? nullptr : llvm::PoisonValue::get(type), variable.name, nullptr, llvm::GlobalValue::NotThreadLocal,
      sharedSpace);
  made->setAlignment(alignmentOf(variable));
  return made;
}

void BodyBuilder::build(const std::vector<Statement> &statements) {
  prepareLabels(statements);
  for (const Statement &statement : statements) {
    if (locate_) locate_(statement);
    emit(statement);
    if (!emitter_.error().empty()) return;
  }
}

// prepareLabels() makes a block for each label; a label is known in its scope and the ones inside.
void BodyBuilder::prepareLabels(const std::vector<Statement> &statements) {
  std::vector<size_t> open{0};
  scopeLabels_.emplace_back();
  size_t scopes = 0;
  for (const Statement &statement : statements) {
    if (statement.kind == Statement::Kind::ScopeBegin) {
      open.push_back(++scopes);
      scopeLabels_.emplace_back();
    } else if (statement.kind == Statement::Kind::ScopeEnd) {
      open.pop_back();
    } else if (statement.kind == Statement::Kind::Label) {
      llvm::BasicBlock *&block = scopeLabels_[open.back()][statement.label];
      if (block) emitter_.fail("label " + statement.label + " defined twice");
      block = emitter_.makeBlock(statement.label);
    }
  }
  visible_.push_back(scopeLabels_[0]);
  emitter_.setLabels(&visible_.back());
}

void BodyBuilder::enterScope() {
  emitter_.pushScope();
  auto labels = scopeLabels_[++entered_];
  labels.insert(visible_.back().begin(), visible_.back().end());
  visible_.push_back(std::move(labels));
  emitter_.setLabels(&visible_.back());
}

void BodyBuilder::leaveScope() {
  emitter_.popScope();
  visible_.pop_back();
  emitter_.setLabels(&visible_.back());
}

void BodyBuilder::emit(const Statement &statement) {
  switch (statement.kind) {
    case Statement::Kind::ScopeBegin:
      return enterScope();
    case Statement::Kind::ScopeEnd:
      return leaveScope();
    case Statement::Kind::Declare:
      for (const Declaration &declaration : statement.declarations) emitter_.declare(declaration);
      return;
    case Statement::Kind::Memory:
      for (const Variable &variable : statement.memory) declareMemory(variable);
      return;
    case Statement::Kind::Prototype:
    case Statement::Kind::Targets:
      return emitter_.declareNamed(statement);
    case Statement::Kind::Location:
      return;
    case Statement::Kind::Label: {
      llvm::BasicBlock *block = visible_.back().at(statement.label);
      emitter_.builder().CreateBr(block);
      emitter_.builder().SetInsertPoint(block);
      return;
    }
    case Statement::Kind::Instruct:
      return emitGuarded(statement.instruction);
  }
}

// declareMemory() makes .shared memory the block's, and .local and .param memory the function's.
void BodyBuilder::declareMemory(const Variable &variable) {
  Builder &builder = emitter_.builder();
  Symbol symbol{nullptr, variable.space, &variable, nullptr};
  if (variable.space == Space::Shared) {
    symbol.pointer = builder.CreateAddrSpaceCast(sharedVariable(emitter_.module(), variable), builder.getPtrTy());
  } else if (variable.space == Space::Local || variable.space == Space::Parameter) {
    llvm::BasicBlock &entry = builder.GetInsertBlock()->getParent()->getEntryBlock();
    Builder atEntry(&entry, entry.begin());
    llvm::AllocaInst *memory = atEntry.CreateAlloca(storageType(emitter_.context(), variable), nullptr, variable.name);
    memory->setAlignment(alignmentOf(variable));
    symbol.pointer = memory;
  } else {
    return emitter_.fail("variables of this state space are not supported inside of functions: " + variable.name);
  }
  emitter_.declare(variable.name, symbol);
}

void BodyBuilder::emitGuarded(const Instruction &instruction) {
  Builder &builder = emitter_.builder();
  auto handler = handlers().find(instruction.opcode);
  emitter_.begin(instruction);
  if (handler == handlers().end()) return emitter_.fail("unknown opcode");
  llvm::BasicBlock *skip = nullptr;
  if (instruction.guard) {
    llvm::BasicBlock *run = emitter_.makeBlock("run");
    skip = emitter_.makeBlock("skip");
    builder.CreateCondBr(emitter_.readPredicate(*instruction.guard), run, skip);
    builder.SetInsertPoint(run);
  }
  handler->second(emitter_);
  emitter_.end();
  if (!skip) return;
  builder.CreateBr(skip);
  builder.SetInsertPoint(skip);
}

}  // namespace hostwarp::compiler::ptx
