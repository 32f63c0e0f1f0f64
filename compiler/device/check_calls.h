// The calls by which the checked build tells the runtime of accesses (include/hostwarp/check_abi.h).
#ifndef HOSTWARP_COMPILER_DEVICE_CHECK_CALLS_H
#define HOSTWARP_COMPILER_DEVICE_CHECK_CALLS_H

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

namespace llvm {
class PassBuilder;
}

namespace hostwarp::compiler {

inline constexpr llvm::StringLiteral checkAccess = "hw_check_access", checkReads = "hw_check_reads",
                                     checkObject = "hw_check_object", checkAsync = "hw_check_async";

// Their arguments; the first four are the same for all.
enum CheckArgument : unsigned {
  checkedAddress,
  checkedBytes,
  checkedTraits,
  checkedSite,
  checkedValue,                 // of checkAccess
  checkedCount = checkedValue,  // of checkReads, and
  checkedStep
};

inline bool isCheckOf(const llvm::CallInst &call, llvm::StringRef name) {
  const llvm::Function *callee = call.getCalledFunction();
  return callee && callee->getName() == name;
}

// isAccessCheck(): it is about one access of the thread, or about several.
inline bool isAccessCheck(const llvm::CallInst &call) {
  return isCheckOf(call, checkAccess) || isCheckOf(call, checkReads);
}

inline bool isCheck(const llvm::CallInst &call) { return isAccessCheck(call) || isCheckOf(call, checkObject); }

// isAsyncCheck(): it is about an operation that goes on while the thread does.
inline bool isAsyncCheck(const llvm::CallInst &call) { return isCheckOf(call, checkAsync); }

// checkedTraitsOf() is hw_access_traits. pre: isCheck().
inline uint64_t checkedTraitsOf(const llvm::CallInst &check) {
  return llvm::cast<llvm::ConstantInt>(check.getArgOperand(checkedTraits))->getZExtValue();
}

// expectedRow marks block functions with how many threads a row of their blocks will have, where launches say so.
inline constexpr llvm::StringLiteral expectedRow = "hostwarp-expected-row";

// markOnlyBarriers() says of a kernel's accesses that only barriers order them, if that is so, and that its atomic
// updates have no order either. Where there are none, nobody leaves before one.
void markOnlyBarriers(llvm::Function &entry);
// tellInPlace() has the module's checks come where the accesses are, unless nobody can tell the difference.
void tellInPlace(llvm::Module &module);
// tellOfLoops() registers the pass that has a loop which does not wait tell of its reads in all turns before it begins.
void tellOfLoops(llvm::PassBuilder &builder);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_CHECK_CALLS_H
