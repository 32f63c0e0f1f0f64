#include "compiler/device/gpu/libdevice_calls.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

namespace hostwarp::compiler {

namespace {

using llvm::Value;
using llvm::Intrinsic::ID;

// Code makes the instructions in the place of a call. The numbers are those of libdevice: logarithms and powers by
// base 2.
struct Code {
  llvm::IRBuilder<> &builder;
  bool flushes, exactRoots;

  Value *call(ID usual, ID flushing, llvm::ArrayRef<Value *> values) const {
    return builder.CreateIntrinsic(flushes ? flushing : usual, {}, values);
  }
  Value *times(Value *x, float factor) const {
    return builder.CreateFMul(x, llvm::ConstantFP::get(x->getType(), static_cast<double>(factor)));
  }
  Value *sine(Value *x) const {
    return call(llvm::Intrinsic::nvvm_sin_approx_f, llvm::Intrinsic::nvvm_sin_approx_ftz_f, x);
  }
  Value *cosine(Value *x) const {
    return call(llvm::Intrinsic::nvvm_cos_approx_f, llvm::Intrinsic::nvvm_cos_approx_ftz_f, x);
  }
  Value *logarithm(Value *x) const {
    return call(llvm::Intrinsic::nvvm_lg2_approx_f, llvm::Intrinsic::nvvm_lg2_approx_ftz_f, x);
  }
  Value *power(Value *x) const {
    return call(llvm::Intrinsic::nvvm_ex2_approx_f, llvm::Intrinsic::nvvm_ex2_approx_ftz_f, x);
  }
  Value *quotient(Value *x, Value *y) const {
    return call(llvm::Intrinsic::nvvm_div_approx_f, llvm::Intrinsic::nvvm_div_approx_ftz_f, {x, y});
  }
};

// Function is one of libdevice's, with one or two arguments; `y` is null where there is one.
struct Function {
  llvm::StringLiteral name;
  unsigned arguments;
  Value *(*code)(const Code &code, Value *x, Value *y);
};

constexpr auto greater = [](const Code &code, Value *x, Value *y) -> Value * {
  return code.builder.CreateBinaryIntrinsic(llvm::Intrinsic::maxnum, x, y);
};
constexpr auto smaller = [](const Code &code, Value *x, Value *y) -> Value * {
  return code.builder.CreateBinaryIntrinsic(llvm::Intrinsic::minnum, x, y);
};
constexpr auto root = [](const Code &code, Value *x, Value *) -> Value * {
  if (code.exactRoots || !x->getType()->isFloatTy()) return code.builder.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x);
  return code.call(llvm::Intrinsic::nvvm_sqrt_approx_f, llvm::Intrinsic::nvvm_sqrt_approx_ftz_f, x);
};

constexpr Function functions[] = {
    {"__nv_fmax", 2, greater},
    {"__nv_fmaxf", 2, greater},
    {"__nv_fmin", 2, smaller},
    {"__nv_fminf", 2, smaller},
    {"__nv_sqrt", 1, root},
    {"__nv_sqrtf", 1, root},
    {"__nv_fast_sinf", 1, [](const Code &code, Value *x, Value *) { return code.sine(x); }},
    {"__nv_fast_cosf", 1, [](const Code &code, Value *x, Value *) { return code.cosine(x); }},
    {"__nv_fast_tanf", 1,
     [](const Code &code, Value *x, Value *) { return code.quotient(code.sine(x), code.cosine(x)); }},
    {"__nv_fast_expf", 1,
     [](const Code &code, Value *x, Value *) { return code.power(code.times(x, 0x1.715476p+0F)); }},
    {"__nv_fast_exp10f", 1,
     [](const Code &code, Value *x, Value *) { return code.power(code.times(x, 0x1.a934fp+1F)); }},
    {"__nv_fast_log2f", 1, [](const Code &code, Value *x, Value *) { return code.logarithm(x); }},
    {"__nv_fast_logf", 1,
     [](const Code &code, Value *x, Value *) { return code.times(code.logarithm(x), 0x1.62e43p-1F); }},
    {"__nv_fast_log10f", 1,
     [](const Code &code, Value *x, Value *) { return code.times(code.logarithm(x), 0x1.344136p-2F); }},
    {"__nv_fast_powf", 2,
     [](const Code &code, Value *x, Value *y) { return code.power(code.builder.CreateFMul(y, code.logarithm(x))); }},
    {"__nv_fast_fdividef", 2, [](const Code &code, Value *x, Value *y) { return code.quotient(x, y); }},
};

// isOf(): as libdevice declares it, with numbers of one type, which the last letter of the name tells.
bool isOf(const llvm::CallInst &call, const Function &function) {
  llvm::Type *const type = call.getType();
  const bool isOfType = function.name.ends_with("f") ? type->isFloatTy() : type->isDoubleTy();
  return call.arg_size() == function.arguments && isOfType &&
         llvm::all_of(call.args(), [&](const llvm::Use &each) { return each->getType() == type; });
}

}  // namespace

void replaceLibdeviceCalls(llvm::Module &module, bool flushes, bool exactRoots) {
  for (const Function &each : functions) {
    llvm::Function *const function = module.getFunction(each.name);
    if (!function || !function->isDeclaration()) continue;
    for (llvm::User *user : llvm::make_early_inc_range(function->users())) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(user);
      if (!call || call->getCalledOperand() != function || !isOf(*call, each)) continue;
      llvm::IRBuilder<> builder(call);
      Value *const second = each.arguments == 2 ? call->getArgOperand(1) : nullptr;
      call->replaceAllUsesWith(each.code({builder, flushes, exactRoots}, call->getArgOperand(0), second));
      call->eraseFromParent();
    }
  }
}

}  // namespace hostwarp::compiler
