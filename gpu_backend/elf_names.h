// What a shared object's table of names has, read without loading it.
#ifndef HOSTWARP_GPU_BACKEND_ELF_NAMES_H
#define HOSTWARP_GPU_BACKEND_ELF_NAMES_H

#include <string>
#include <string_view>

namespace hostwarp::gpu_backend {

// isSharedObject() tells whether the file is one for this machine.
bool isSharedObject(const std::string &file);

// namesSymbol() tells whether a shared object defines or needs a symbol with this name. False for other files.
bool namesSymbol(const std::string &file, std::string_view symbol);

}  // namespace hostwarp::gpu_backend

#endif  // HOSTWARP_GPU_BACKEND_ELF_NAMES_H
