// Translates inline PTX. One instruction per asm statement is understood so far: reads of special registers, fences,
// and the empty statement that programs use as a compiler barrier. Anything else is an error at the user's line.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>

#include "compiler/device/passes.h"
#include "compiler/device/thread_state.h"

namespace hostwarp::compiler {

namespace {

using Builder = llvm::IRBuilder<>;

struct Statement {
  std::string opcode;
  llvm::SmallVector<std::string> operands;
};

// parseStatement() splits "mov.u32 $0, %laneid;" into opcode and operands; false for more than one instruction.
bool parseStatement(llvm::StringRef text, Statement &statement) {
  text = text.trim();
  text.consume_back(";");
  if (text.contains(';') || text.contains('{')) return false;
  auto [opcode, operands] = text.trim().split(' ');
  if (opcode.contains('\t')) std::tie(opcode, operands) = text.split('\t');
  statement.opcode = opcode.trim().str();
  llvm::SmallVector<llvm::StringRef> parts;
  operands.split(parts, ',', -1, false);
  for (llvm::StringRef part : parts) statement.operands.push_back(part.trim().str());
  return true;
}

llvm::Value *readIntrinsic(Builder &builder, llvm::Module &module, llvm::StringRef name, llvm::Type *type) {
  bool wide = name.ends_with("clock64") || name.ends_with("globaltimer") || name.ends_with("gridid");
  llvm::Type *result = wide ? builder.getInt64Ty() : builder.getInt32Ty();
  llvm::FunctionCallee read = module.getOrInsertFunction(name, llvm::FunctionType::get(result, false));
  return builder.CreateZExtOrTrunc(builder.CreateCall(read), type);
}

llvm::Value *readRegister(Builder &builder, llvm::Module &module, llvm::StringRef name, llvm::Type *type) {
#define SREG(ptx, intrinsic) \
  if (name == ptx) return readIntrinsic(builder, module, intrinsic, type);
#define MASK(ptx, expression) \
  if (name == ptx) return builder.CreateZExtOrTrunc(expression, type);
  llvm::Value *lane = readIntrinsic(builder, module, "llvm.nvvm.read.ptx.sreg.laneid", builder.getInt32Ty());
  llvm::Value *one = builder.getInt32(1);
  llvm::Value *bit = builder.CreateShl(one, lane);
#include "compiler/device/ptx_registers.def"
#undef SREG
#undef MASK
  return nullptr;
}

bool isFence(llvm::StringRef opcode) {
  return opcode.starts_with("membar.") || opcode.starts_with("fence.") || opcode == "membar";
}

// translate() replaces one asm call; false when it does not know the instruction.
bool translate(llvm::CallInst &call, const Statement &statement) {
  Builder builder(&call);
  llvm::StringRef opcode = statement.opcode;
  if (isFence(opcode)) {
    builder.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent);
  } else if (opcode.starts_with("mov.") && statement.operands.size() == 2 && statement.operands[0] == "$0" &&
             call.getType()->isIntegerTy()) {
    llvm::StringRef source = statement.operands[1];
    if (source.starts_with("%%")) source = source.drop_front();
    llvm::Value *value = source == "$1" ? call.getArgOperand(0)
                                        : readRegister(builder, *call.getModule(), source, call.getType());
    if (!value || value->getType() != call.getType()) return false;
    call.replaceAllUsesWith(value);
  } else {
    return false;
  }
  call.eraseFromParent();
  return true;
}

}  // namespace

void lowerInlinePtx(DeviceModule &device) {
  llvm::SmallVector<llvm::CallInst *> statements;
  for (llvm::Function &function : device.module)
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block)
        if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && call->isInlineAsm())
          statements.push_back(call);
  for (llvm::CallInst *call : statements) {
    llvm::StringRef text = llvm::cast<llvm::InlineAsm>(call->getCalledOperand())->getAsmString();
    if (text.trim().empty()) continue;
    Statement statement;
    if (!parseStatement(text, statement) || !translate(*call, statement))
      fail(device, call, ("inline PTX not supported: " + text.trim()).str());
  }
}

}  // namespace hostwarp::compiler
