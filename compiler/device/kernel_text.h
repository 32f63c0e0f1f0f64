// The text of a kernel's code, by which kernels of several images are known to be the same.
#ifndef HOSTWARP_COMPILER_DEVICE_KERNEL_TEXT_H
#define HOSTWARP_COMPILER_DEVICE_KERNEL_TEXT_H

#include <optional>
#include <string>

#include "compiler/device/device_module.h"

namespace hostwarp::compiler {

// kernelText() is a digest of the kernel's code, of all that it reaches and of what the kernel is known for; equal for
// kernels of which one's code may run as the other's. Nothing where the image makes a difference: the code uses
// variables, of which each image has its own, or may tell a function's or a constant's address. pre: the code is
// simplified, and forgetScopeNames() has run.
std::optional<std::string> kernelText(const Kernel &kernel);

// forgetScopeNames() drops the names of scopes, which stand for nothing and tell where a function was inlined from.
void forgetScopeNames(llvm::Module &module);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_KERNEL_TEXT_H
