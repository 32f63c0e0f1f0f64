// Host functions that a `__host__ __device__` function calls: compiled with a warning, as by nvcc, and fatal when
// reached.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>

#include "compiler/device/passes.h"

namespace hostwarp::compiler {

void trapHostFunctions(DeviceModule &device) {
  constexpr llvm::StringLiteral mark = "dontcall-warn";
  for (llvm::Function &function : device.module) {
    if (function.getFnAttribute(mark).getValueAsString() != "hostwarp.host_function") continue;
    function.deleteBody();
    function.setAttributes({});  // pure and the like no longer hold
    function.setComdat(nullptr);
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(function.getContext(), "", &function));
    builder.CreateIntrinsic(llvm::Intrinsic::trap, {}, {});
    builder.CreateUnreachable();
  }
}

}  // namespace hostwarp::compiler
