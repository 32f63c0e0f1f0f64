#include "compiler/device/gpu/nvvm_intrinsics.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <array>

#include "compiler/device/llvm_versions.h"

namespace hostwarp::compiler {

namespace {

using llvm::Intrinsic::ID;

// Of both the kind is the second argument.
constexpr std::array<ID, 4> votes = {llvm::Intrinsic::nvvm_vote_all_sync, llvm::Intrinsic::nvvm_vote_any_sync,
                                     llvm::Intrinsic::nvvm_vote_uni_sync, llvm::Intrinsic::nvvm_vote_ballot_sync};
constexpr std::array<ID, 4> shuffles = {
    llvm::Intrinsic::nvvm_shfl_sync_idx_i32p, llvm::Intrinsic::nvvm_shfl_sync_up_i32p,
    llvm::Intrinsic::nvvm_shfl_sync_down_i32p, llvm::Intrinsic::nvvm_shfl_sync_bfly_i32p};

// kindOf() is the one that the call's second argument names; none when that comes to no constant.
ID kindOf(const llvm::CallInst &call, const std::array<ID, 4> &kinds) {
  llvm::Value *kind = call.getArgOperand(1);
  if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(kind))
    kind = llvm::ConstantFoldInstruction(instruction, call.getModule()->getDataLayout());
  const auto *number = llvm::dyn_cast_or_null<llvm::ConstantInt>(kind);
  return number && number->getZExtValue() < kinds.size() ? kinds[number->getZExtValue()]
                                                         : llvm::Intrinsic::not_intrinsic;
}

llvm::Value *callOf(ID intrinsic, llvm::CallInst &call, llvm::ArrayRef<unsigned> arguments) {
  if (intrinsic == llvm::Intrinsic::not_intrinsic) return nullptr;
  llvm::SmallVector<llvm::Value *> values;
  for (const unsigned each : arguments) values.push_back(call.getArgOperand(each));
  return llvm::IRBuilder<>(&call).CreateIntrinsic(intrinsic, {}, values);
}

// vote() fills both members of the result, of which the kind decides one.
llvm::Value *vote(llvm::CallInst &call) {
  llvm::Value *made = callOf(kindOf(call, votes), call, {0, 2});
  if (!made) return nullptr;
  llvm::IRBuilder<> builder(&call);
  llvm::Value *word = builder.CreateZExt(made, builder.getInt32Ty());
  llvm::Value *flag = made->getType()->isIntegerTy(1) ? made : builder.CreateIsNotNull(made);
  llvm::Value *result = builder.CreateInsertValue(llvm::PoisonValue::get(call.getType()), word, 0);
  return builder.CreateInsertValue(result, flag, 1);
}

// isPair(): {i32, i1}.
bool isPair(llvm::Type *type) {
  const auto *pair = llvm::dyn_cast<llvm::StructType>(type);
  return pair && pair->getNumElements() == 2 && pair->getElementType(0)->isIntegerTy(32) &&
         pair->getElementType(1)->isIntegerTy(1);
}

// pairOf() is what gives a pair; null where the call stays.
llvm::Value *pairOf(llvm::StringRef name, llvm::CallInst &call) {
  if (name == "llvm.nvvm.vote.sync" && call.arg_size() == 3) return vote(call);
  if (name == "llvm.nvvm.shfl.sync.i32" && call.arg_size() == 5)
    return callOf(kindOf(call, shuffles), call, {0, 2, 3, 4});
  if (call.arg_size() != 2) return nullptr;
  if (name == "llvm.nvvm.match.all.sync.i32") return callOf(llvm::Intrinsic::nvvm_match_all_sync_i32p, call, {0, 1});
  if (name == "llvm.nvvm.match.all.sync.i64") return callOf(llvm::Intrinsic::nvvm_match_all_sync_i64p, call, {0, 1});
  return nullptr;
}

// castOf() is the cast that a conversion between spaces is: through it LLVM sees in which one an access is. Null where
// the call is none. Parameters have no addresses to it.
llvm::Value *castOf(llvm::StringRef name, llvm::CallInst &call) {
  if (!name.starts_with("llvm.nvvm.ptr.") || name.contains(".param") || call.arg_size() != 1) return nullptr;
  llvm::Value *const pointer = call.getArgOperand(0);
  if (!pointer->getType()->isPointerTy() || !call.getType()->isPointerTy()) return nullptr;
  return llvm::IRBuilder<>(&call).CreateAddrSpaceCast(pointer, call.getType());
}

// replacementOf() is null where the call stays.
llvm::Value *replacementOf(llvm::StringRef name, llvm::CallInst &call) {
  return isPair(call.getType()) ? pairOf(name, call) : castOf(name, call);
}

}  // namespace

void replaceNvvmIntrinsics(llvm::Module &module) {
  for (llvm::Function &function : llvm::make_early_inc_range(module)) {
    if (!function.isDeclaration() || !function.getName().starts_with("llvm.nvvm.")) continue;
    for (llvm::User *user : llvm::make_early_inc_range(function.users())) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(user);
      if (!call || call->getCalledOperand() != &function) continue;
      llvm::Value *made = replacementOf(function.getName(), *call);
      if (!made || made->getType() != call->getType()) continue;
      call->replaceAllUsesWith(made);
      call->eraseFromParent();
    }
    if (function.use_empty()) function.eraseFromParent();
  }
}

}  // namespace hostwarp::compiler
