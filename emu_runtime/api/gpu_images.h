// What calls that load device code give to NVIDIA's libraries, where the code is an image of hwcc's or of our NVRTC's.
#ifndef HOSTWARP_EMU_RUNTIME_API_GPU_IMAGES_H
#define HOSTWARP_EMU_RUNTIME_API_GPU_IMAGES_H

#include <cuda.h>

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "emu_runtime/module/hwcc_process.h"
#include "emu_runtime/support/status.h"

namespace hostwarp::api {

// ImageUse is what a function does with device code.
enum class ImageUse {
  None,
  Loads,      // its `const void *` is device code, or its `const char *` the name of a file of it
  LinksData,  // its `void *` and `size_t` are a linker's input
};

constexpr ImageUse imageUse(std::string_view function) {
  for (const std::string_view each :
       {"cuModuleLoad", "cuModuleLoadData", "cuModuleLoadDataEx", "cuModuleLoadFatBinary", "cuLibraryLoadData",
        "cuLibraryLoadFromFile", "cuLinkAddFile_v2", "cudaLibraryLoadData", "cudaLibraryLoadFromFile"})
    if (function == each) return ImageUse::Loads;
  return function == "cuLinkAddData_v2" ? ImageUse::LinksData : ImageUse::None;
}

// GpuImages puts PTX for this machine's GPUs in the place of our images among a call's arguments. What is not ours
// stays, for the GPU's library to judge. PTX in memory is there as long as the process, since libraries may go on
// reading it; in files, as long as the object.
class GpuImages {
 public:
  // replace() blocks while hwcc makes code, unless that is in the user's cache.
  void replace(const void *&code);
  void replace(const char *&file);
  // A linker's input has a type, which comes before the name of its file.
  void replace(CUjitInputType &type) { type_ = &type; }
  template <typename Other>
  void replace(Other &) {}

  // status() is what went wrong.
  const Status &status() const { return status_; }

 private:
  std::optional<modules::TemporaryFolder> folder_;
  std::string path_;
  CUjitInputType *type_ = nullptr;
  Status status_;
};

// GpuLinkerInput does so for a linker's input, of which the type and the size change, too.
class GpuLinkerInput {
 public:
  void replace(CUjitInputType &type) { type_ = &type; }
  void replace(void *&data) { data_ = &data; }
  // replace() of the size comes last of the three, and blocks as that of GpuImages.
  void replace(size_t &size);
  template <typename Other>
  void replace(Other &) {}

  const Status &status() const { return status_; }

 private:
  CUjitInputType *type_ = nullptr;
  void **data_ = nullptr;
  Status status_;
};

template <ImageUse use>
using ReplacedImages =
    std::conditional_t<use == ImageUse::None, Status, std::conditional_t<use == ImageUse::Loads, GpuImages, GpuLinkerInput>>;

}  // namespace hostwarp::api

#endif  // HOSTWARP_EMU_RUNTIME_API_GPU_IMAGES_H
