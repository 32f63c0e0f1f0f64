#include "compiler/device/product_registers.h"

#include <llvm/IR/InlineAsm.h>

namespace hostwarp::compiler {

namespace {

// isEmptyStatement(): asm volatile("" : "+f"(register)).
bool isEmptyStatement(const llvm::Value &value) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&value);
  const auto *statement = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
  return statement && statement->getAsmString().empty();
}

// sourceOf() is the statement that has given the value.
const llvm::Value &sourceOf(const llvm::Value &value) {
  const auto *part = llvm::dyn_cast<llvm::ExtractValueInst>(&value);
  return part ? *part->getAggregateOperand() : value;
}

}  // namespace

ProductRegisters::ProductRegisters(const llvm::Module &module) {
  const llvm::Function *multiply = module.getFunction("hwptx_wgmma");
  if (!multiply) return;
  for (const llvm::User *user : multiply->users())
    if (const auto *call = llvm::dyn_cast<llvm::CallInst>(user)) statements_.insert(call->getFunction());
}

bool ProductRegisters::isProduct(const llvm::Value &value) const {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&value);
  return call && call->getCalledFunction() && statements_.contains(call->getCalledFunction());
}

bool ProductRegisters::isResult(const llvm::Instruction &instruction) const {
  const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
  return store && isProduct(sourceOf(*store->getValueOperand()));
}

bool ProductRegisters::isOperand(const llvm::Instruction &instruction) const {
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return isEmptyStatement(sourceOf(*store->getValueOperand()));
  return llvm::isa<llvm::LoadInst>(instruction) && llvm::all_of(instruction.users(), [&](const llvm::User *user) {
           return isProduct(*user) || isEmptyStatement(*user);
         });
}

bool ProductRegisters::holdsResult(const llvm::AllocaInst &variable) const {
  return llvm::any_of(variable.users(), [&](const llvm::User *user) {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(user);
    return instruction && isResult(*instruction);
  });
}

}  // namespace hostwarp::compiler
