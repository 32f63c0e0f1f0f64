#include "compiler/device/vector_math.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "compiler/device/llvm_versions.h"
#include "compiler/math_library/math_library.h"
#include "compiler/ptx/bitcode.h"

namespace hostwarp::compiler {

namespace {

constexpr llvm::StringLiteral mathPrefix = "hwmath_", ours = "hw_math_", maskedPrefix = "hw_masked.";

// vectorLibraryName() is what the library would call a function that calculates the same; empty: none could.
std::string vectorLibraryName(const llvm::Function &function) {
  llvm::StringRef name = function.getName();
  if (!name.consume_front("llvm.")) {
    name.consume_front(ours);
    return (mathPrefix + name).str();
  }
  if (name.consume_back(".f32")) return (mathPrefix + name + "f").str();
  return name.consume_back(".f64") ? (mathPrefix + name).str() : "";
}

std::vector<llvm::Function *> calculable(llvm::Module &module, const llvm::Module &library, llvm::StringRef prefix) {
  std::vector<llvm::Function *> result;
  for (llvm::Function &function : module) {
    if (!function.isDeclaration() || function.use_empty() || !function.getName().starts_with(prefix)) continue;
    const llvm::Function *ready = library.getFunction(vectorLibraryName(function));
    if (ready && ready->getFunctionType() == function.getFunctionType()) result.push_back(&function);
  }
  return result;
}

void replaceCalls(llvm::Function &function) {
  llvm::Module &module = *function.getParent();
  llvm::FunctionCallee ready = module.getOrInsertFunction(vectorLibraryName(function), function.getFunctionType());
  for (llvm::User *user : llvm::make_early_inc_range(function.users())) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(user);
    if (!call || call->getCalledFunction() != &function || call->isNoBuiltin()) continue;
    llvm::IRBuilder<> builder(call);
    call->replaceAllUsesWith(builder.CreateCall(ready, llvm::SmallVector<llvm::Value *>(call->args())));
    call->eraseFromParent();
  }
}

void prepareLinked(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (!function.getName().starts_with(mathPrefix)) continue;
    function.addFnAttr(llvm::Attribute::AlwaysInline);
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block)
        if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
            call && call->getCalledFunction() && !call->getCalledFunction()->isIntrinsic())
          call->addFnAttr(llvm::Attribute::NoBuiltin);
  }
}

}  // namespace

bool callMathLibrary(DeviceModule &device, llvm::StringRef prefix) {
  auto library = llvm::cantFail(
      llvm::getLazyBitcodeModule(llvm::MemoryBufferRef(mathLibrary(), "math library"), device.module.getContext()));
  const std::vector<llvm::Function *> functions = calculable(device.module, *library, prefix);
  for (llvm::Function *function : functions) replaceCalls(*function);
  if (functions.empty()) return false;
  const std::string error = linkBitcode(device.module, mathLibrary(), mathPrefix);
  if (!error.empty()) fail(device, nullptr, "math library: " + error);
  prepareLinked(device.module);
  return true;
}

namespace {

bool isRareCall(const llvm::CallInst &call) {
  const llvm::Function *callee = call.getCalledFunction();
  return callee && call.isNoBuiltin() && callee->isDeclaration() && callee->doesNotAccessMemory() &&
         callee->getReturnType()->isFloatingPointTy();
}

// makeLaneLoop() returns void (ptr value, ptr operand..., i32 mask), which calls `scalar` for each lane of the mask.
llvm::Function *makeLaneLoop(llvm::Function &scalar, unsigned lanes) {
  llvm::Module &module = *scalar.getParent();
  llvm::IRBuilder<> builder(module.getContext());
  llvm::Type *i32 = builder.getInt32Ty(), *element = scalar.getReturnType();
  llvm::SmallVector<llvm::Type *> types(scalar.arg_size() + 1, builder.getPtrTy());
  types.push_back(i32);
  auto *function = llvm::Function::Create(
      llvm::FunctionType::get(builder.getVoidTy(), types, false), llvm::GlobalValue::InternalLinkage,
      maskedPrefix + "lanes." + llvm::Twine(lanes) + "." + scalar.getName(), module);
  function->addFnAttr(llvm::Attribute::NoInline);
  function->setUWTableKind(llvm::UWTableKind::Async);
  const auto newBlock = [&] { return llvm::BasicBlock::Create(module.getContext(), "", function); };
  llvm::BasicBlock *entry = newBlock(), *turn = newBlock(), *inMask = newBlock(), *next = newBlock(), *end = newBlock();
  builder.SetInsertPoint(entry);
  builder.CreateBr(turn);
  builder.SetInsertPoint(turn);
  llvm::PHINode *lane = builder.CreatePHI(i32, 2);
  lane->addIncoming(builder.getInt32(0), entry);
  llvm::Value *mask = builder.CreateLShr(function->getArg(function->arg_size() - 1), lane);
  builder.CreateCondBr(builder.CreateTrunc(mask, builder.getInt1Ty()), inMask, next);
  builder.SetInsertPoint(inMask);
  const auto at = [&](unsigned argument) {
    return builder.CreateInBoundsGEP(element, function->getArg(argument),
                                     builder.CreateZExt(lane, builder.getInt64Ty()));
  };
  llvm::SmallVector<llvm::Value *> operands;
  for (unsigned i = 1; i <= scalar.arg_size(); ++i) operands.push_back(builder.CreateLoad(element, at(i)));
  llvm::CallInst *value = builder.CreateCall(&scalar, operands);
  value->addFnAttr(llvm::Attribute::NoBuiltin);
  builder.CreateStore(value, at(0));
  builder.CreateBr(next);
  builder.SetInsertPoint(next);
  llvm::Value *following = builder.CreateAdd(lane, builder.getInt32(1));
  lane->addIncoming(following, next);
  builder.CreateCondBr(builder.CreateICmpULT(following, builder.getInt32(lanes)), turn, end);
  builder.SetInsertPoint(end);
  builder.CreateRetVoid();
  return function;
}

// makeMasked() returns <N x T> (<N x T> operand..., <N x i1> mask). What it returns for lanes outside the mask is not
// looked at.
llvm::Function *makeMasked(llvm::Function &scalar, unsigned lanes) {
  llvm::Module &module = *scalar.getParent();
  llvm::IRBuilder<> builder(module.getContext());
  auto *vector = llvm::FixedVectorType::get(scalar.getReturnType(), lanes);
  llvm::SmallVector<llvm::Type *> types(scalar.arg_size(), vector);
  types.push_back(llvm::FixedVectorType::get(builder.getInt1Ty(), lanes));
  auto *function =
      llvm::Function::Create(llvm::FunctionType::get(vector, types, false), llvm::GlobalValue::InternalLinkage,
                             maskedPrefix + llvm::Twine(lanes) + "." + scalar.getName(), module);
  function->addFnAttr(llvm::Attribute::AlwaysInline);
  llvm::BasicBlock *entry = llvm::BasicBlock::Create(module.getContext(), "", function);
  auto *rare = llvm::BasicBlock::Create(module.getContext(), "", function);
  auto *end = llvm::BasicBlock::Create(module.getContext(), "", function);
  builder.SetInsertPoint(entry);
  llvm::SmallVector<llvm::Value *> arguments;
  for (unsigned i = 0; i <= scalar.arg_size(); ++i) arguments.push_back(builder.CreateAlloca(vector));
  llvm::Value *mask = builder.CreateBitCast(function->getArg(scalar.arg_size()), builder.getIntNTy(lanes));
  llvm::MDNode *unlikely = llvm::MDBuilder(module.getContext()).createBranchWeights(1, 2000);
  builder.CreateCondBr(builder.CreateIsNotNull(mask), rare, end, unlikely);
  builder.SetInsertPoint(rare);
  for (unsigned i = 0; i < scalar.arg_size(); ++i) builder.CreateStore(function->getArg(i), arguments[i + 1]);
  llvm::Value *values = arguments[0];
  arguments.push_back(builder.CreateZExt(mask, builder.getInt32Ty()));
  builder.CreateCall(makeLaneLoop(scalar, lanes), arguments);
  llvm::Value *result = builder.CreateLoad(vector, values);
  builder.CreateBr(end);
  builder.SetInsertPoint(end);
  llvm::PHINode *phi = builder.CreatePHI(vector, 2);
  phi->addIncoming(llvm::PoisonValue::get(vector), entry);
  phi->addIncoming(result, rare);
  builder.CreateRet(phi);
  return function;
}

}  // namespace

bool offerMasks(llvm::Module &module) {
  llvm::SmallSetVector<llvm::Function *, 8> callees;
  std::vector<llvm::CallInst *> calls;
  for (llvm::Function &function : module)
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block)
        if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && isRareCall(*call)) {
          calls.push_back(call);
          callees.insert(call->getCalledFunction());
        }
  llvm::DenseMap<llvm::Function *, llvm::SmallVector<std::string, 8>> variants;
  for (llvm::Function *callee : callees)
    for (unsigned lanes : {2u, 4u, 8u, 16u}) {
      llvm::Function *masked = makeMasked(*callee, lanes);
      llvm::appendToCompilerUsed(module, masked);
      variants[callee].push_back("_ZGV_LLVM_M" + std::to_string(lanes) + std::string(callee->arg_size(), 'v') + "_" +
                                 callee->getName().str() + "(" + masked->getName().str() + ")");
    }
  for (llvm::CallInst *call : calls) llvm::VFABI::setVectorVariantNames(call, variants[call->getCalledFunction()]);
  return !calls.empty();
}

void withdrawMasks(llvm::Module &module) {
  llvm::removeFromUsedLists(
      module, [](llvm::Constant *value) { return value->stripPointerCasts()->getName().starts_with(maskedPrefix); });
}

}  // namespace hostwarp::compiler
