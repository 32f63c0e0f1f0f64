// What calls that load device code give to NVIDIA's libraries, where the code is an image of hwcc's or of our NVRTC's.
#ifndef HOSTWARP_EMU_RUNTIME_API_GPU_IMAGES_H
#define HOSTWARP_EMU_RUNTIME_API_GPU_IMAGES_H

#include <optional>
#include <string>
#include <string_view>

#include "emu_runtime/module/hwcc_process.h"
#include "emu_runtime/support/status.h"

namespace hostwarp::api {

// loadsImages() tells whether the function's `const void *` is device code, or its `const char *` the name of a file of
// it.
constexpr bool loadsImages(std::string_view function) {
  for (const std::string_view each :
       {"cuModuleLoad", "cuModuleLoadData", "cuModuleLoadDataEx", "cuModuleLoadFatBinary", "cuLibraryLoadData",
        "cuLibraryLoadFromFile", "cudaLibraryLoadData", "cudaLibraryLoadFromFile"})
    if (function == each) return true;
  return false;
}

// GpuImages puts PTX for this machine's GPUs in the place of our images among a call's arguments. What is not ours
// stays, for the GPU's library to judge. PTX in memory is there as long as the process, since libraries may go on
// reading it; in files, as long as the object.
class GpuImages {
 public:
  // replace() blocks while hwcc makes code, unless that is in the user's cache.
  void replace(const void *&code);
  void replace(const char *&file);
  template <typename Other>
  void replace(Other &) {}

  // status() is what went wrong.
  const Status &status() const { return status_; }

 private:
  std::optional<modules::TemporaryFolder> folder_;
  std::string path_;
  Status status_;
};

}  // namespace hostwarp::api

#endif  // HOSTWARP_EMU_RUNTIME_API_GPU_IMAGES_H
