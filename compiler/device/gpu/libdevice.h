// libdevice, the mathematical functions for GPUs that NVIDIA's toolkit and wheels bring.
#ifndef HOSTWARP_COMPILER_DEVICE_GPU_LIBDEVICE_H
#define HOSTWARP_COMPILER_DEVICE_GPU_LIBDEVICE_H

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/MemoryBuffer.h>

#include <memory>

namespace hostwarp::compiler {

// useLibdevice() names the file to take; "none": none. Where nobody calls it, or with "", it is looked for.
void useLibdevice(llvm::StringRef file);

// libdevice() is the file's content; null where there is none.
std::unique_ptr<llvm::MemoryBuffer> libdevice();

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_GPU_LIBDEVICE_H
