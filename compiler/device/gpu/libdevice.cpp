#include "compiler/device/gpu/libdevice.h"

#include <cstdlib>
#include <string>
#include <vector>

namespace hostwarp::compiler {

namespace {

std::string chosen;

// Debian's package has a folder of its own.
constexpr llvm::StringLiteral ofDebian = "/usr/lib/nvidia-cuda-toolkit/libdevice/libdevice.10.bc";

std::vector<std::string> places() {
  if (chosen == "none") return {};
  if (!chosen.empty()) return {chosen};
  std::vector<std::string> files;
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *toolkit = std::getenv(variable))
      files.push_back(std::string(toolkit) + "/nvvm/libdevice/libdevice.10.bc");
  for (const char *toolkit : {"/usr/local/cuda", "/opt/cuda", "/usr/lib/cuda"})
    files.push_back(std::string(toolkit) + "/nvvm/libdevice/libdevice.10.bc");
  files.push_back(ofDebian.str());
  return files;
}

}  // namespace

void useLibdevice(llvm::StringRef file) { chosen = file.str(); }

std::unique_ptr<llvm::MemoryBuffer> libdevice() {
  for (const std::string &file : places())
    if (auto buffer = llvm::MemoryBuffer::getFile(file)) return std::move(*buffer);
  return nullptr;
}

}  // namespace hostwarp::compiler
