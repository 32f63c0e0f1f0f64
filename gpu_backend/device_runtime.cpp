#include "gpu_backend/device_runtime.h"

#include <dlfcn.h>

#include <array>
#include <filesystem>

namespace hostwarp::gpu_backend {

namespace {

// What <nvJitLink.h> declares; a result of 0 is success.
struct LinkerFunctions {
  int (*create)(void **linker, uint32_t count, const char **options) = nullptr;
  int (*destroy)(void **linker) = nullptr;
  int (*addData)(void *linker, int kind, const void *data, size_t bytes, const char *name) = nullptr;
  int (*addFile)(void *linker, int kind, const char *file) = nullptr;
  int (*complete)(void *linker) = nullptr;
  int (*codeSize)(void *linker, size_t *bytes) = nullptr;
  int (*code)(void *linker, void *to) = nullptr;
  int (*logSize)(void *linker, size_t *bytes) = nullptr;
  int (*log)(void *linker, char *to) = nullptr;
};
constexpr int ptxKind = 2, libraryKind = 6;

template <class Function>
bool findFunction(void *library, const char *name, Function &function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

bool findAll(void *library, LinkerFunctions &functions) {
  return findFunction(library, "nvJitLinkCreate", functions.create) &&
         findFunction(library, "nvJitLinkDestroy", functions.destroy) &&
         findFunction(library, "nvJitLinkAddData", functions.addData) &&
         findFunction(library, "nvJitLinkAddFile", functions.addFile) &&
         findFunction(library, "nvJitLinkComplete", functions.complete) &&
         findFunction(library, "nvJitLinkGetLinkedCubinSize", functions.codeSize) &&
         findFunction(library, "nvJitLinkGetLinkedCubin", functions.code) &&
         findFunction(library, "nvJitLinkGetErrorLogSize", functions.logSize) &&
         findFunction(library, "nvJitLinkGetErrorLog", functions.log);
}

Status missing(const std::string &what, const std::string &folder) {
  return {cudaErrorNotSupported, "kernels that launch kernels need " + what + ", which is not in " + folder +
                                     " (a CUDA toolkit has it, and so have the packages nvidia-nvjitlink and "
                                     "nvidia-cuda-runtime)"};
}

// Linker is one use of the library.
class Linker {
 public:
  Linker(const LinkerFunctions &functions, const std::string &architecture) : functions_(functions) {
    const char *option = architecture.c_str();
    isGood_ = functions_.create(&linker_, 1, &option) == 0;
  }
  ~Linker() {
    if (linker_) functions_.destroy(&linker_);
  }
  Linker(const Linker &) = delete;
  Linker &operator=(const Linker &) = delete;

  Expected<std::string> link(const std::string &ptx, const std::string &library) {
    size_t bytes = 0;
    isGood_ = isGood_ && functions_.addData(linker_, ptxKind, ptx.c_str(), ptx.size() + 1, "kernels") == 0 &&
              functions_.addFile(linker_, libraryKind, library.c_str()) == 0 && functions_.complete(linker_) == 0 &&
              functions_.codeSize(linker_, &bytes) == 0;
    std::string code(bytes, '\0');
    if (isGood_ && functions_.code(linker_, code.data()) == 0) return code;
    return Status(cudaErrorInvalidPtx, "the code cannot be linked with " + library + ": " + log());
  }

 private:
  std::string log() const {
    size_t bytes = 0;
    if (!linker_ || functions_.logSize(linker_, &bytes) != 0) return "no reason is known";
    std::string text(bytes, '\0');
    return functions_.log(linker_, text.data()) == 0 ? text.substr(0, text.find('\0')) : "no reason is known";
  }

  const LinkerFunctions &functions_;
  void *linker_ = nullptr;
  bool isGood_ = false;
};

// architectureOf() is the one that the PTX is for where it is for the capability's own (sm_90a), else the capability's.
std::string architectureOf(std::string_view ptx, int capability) {
  const std::string plain = "sm_" + std::to_string(capability);
  return "-arch=" + plain + (ptx.find(".target " + plain + "a") != std::string_view::npos ? "a" : "");
}

}  // namespace

bool needsDeviceRuntime(std::string_view ptx) { return ptx.find("__cudaCDP2") != std::string_view::npos; }

Expected<std::string> linkDeviceRuntime(std::string_view ptx, int capability, const std::string &runtimeFile) {
  const std::string folder = std::filesystem::path(runtimeFile).parent_path();
  const std::string linkerFile = folder + "/libnvJitLink.so.13", library = folder + "/libcudadevrt.a";
  std::error_code ignored;
  if (!std::filesystem::exists(library, ignored)) return missing("libcudadevrt.a", folder);
  if (!std::filesystem::exists(linkerFile, ignored)) return missing("libnvJitLink.so.13", folder);
  LinkerFunctions functions;
  void *const opened = dlopen(linkerFile.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!opened) return Status(cudaErrorSharedObjectInitFailed, linkerFile + " cannot be loaded: " + dlerror());
  if (!findAll(opened, functions))
    return Status(cudaErrorSharedObjectSymbolNotFound, linkerFile + " is no libnvJitLink of CUDA 13");
  return Linker(functions, architectureOf(ptx, capability)).link(std::string(ptx), library);
}

}  // namespace hostwarp::gpu_backend
