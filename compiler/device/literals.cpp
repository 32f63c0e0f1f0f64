// Literals, tables of constants, virtual function tables: what the device image has beside the program's variables.
// Code may store their addresses, and the host copy from there.
#include "compiler/device/literals.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/device/passes.h"

namespace hostwarp::compiler {

namespace {

// onlyReads(): a function of the runtime that keeps no pointer it is given.
bool onlyReads(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  if (!callee) return false;
  const llvm::StringRef name = callee->getName();
  return callee->isIntrinsic() || name == "hw_vprintf" || name == "hw_assert_fail" || name == "hw_host_function_called";
}

// isTold(): code may put the address anywhere else than into the place it reads from; or compare it, where that counts.
bool isTold(const llvm::Value &address, bool comparisonsCount) {
  return llvm::any_of(address.users(), [&](const llvm::User *user) {
    if (llvm::isa<llvm::LoadInst>(user)) return false;
    if (llvm::isa<llvm::CmpInst>(user)) return comparisonsCount;
    if (const auto *call = llvm::dyn_cast<llvm::CallBase>(user)) return !onlyReads(*call);
    if (llvm::isa<llvm::ConstantExpr, llvm::GetElementPtrInst, llvm::CastInst, llvm::SelectInst>(user))
      return isTold(*user, comparisonsCount);
    return true;
  });
}

}  // namespace

bool mayTellAddress(const llvm::Value &address) { return isTold(address, true); }

void collectLiterals(DeviceModule &device) {
  llvm::DenseSet<const llvm::GlobalVariable *> variables;
  for (const Variable &variable : device.variables) variables.insert(variable.global);
  for (llvm::GlobalVariable &global : device.module.globals()) {
    const bool isLiteral = global.isConstant() && global.hasInitializer() && !global.isThreadLocal() &&
                           !global.getName().starts_with("llvm.") && global.getSection() != "llvm.metadata" &&
                           !variables.contains(&global);
    if (!isLiteral) continue;
    global.removeDeadConstantUsers();
    if (!isTold(global, false)) continue;
    // The linker would make one of it and of a literal of the host's.
    global.setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::None);
    device.variables.push_back({"", &global, HW_VARIABLE_DEVICE});
  }
}

}  // namespace hostwarp::compiler
