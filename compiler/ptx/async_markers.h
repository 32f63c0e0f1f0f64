// What only the checked build wants to know of asynchronous operations.
#ifndef HOSTWARP_COMPILER_PTX_ASYNC_MARKERS_H
#define HOSTWARP_COMPILER_PTX_ASYNC_MARKERS_H

#include <llvm/IR/Module.h>

namespace hostwarp::compiler::ptx {

// dropAsyncMarkers() takes the calls of hw_check_async() and hw_check_later() away, and has hw_check_async_mode() be 0.
void dropAsyncMarkers(llvm::Module &module);

}  // namespace hostwarp::compiler::ptx

#endif  // HOSTWARP_COMPILER_PTX_ASYNC_MARKERS_H
