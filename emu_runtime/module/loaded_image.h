// LoadedImage: device code that a program loads while it runs.
#ifndef HOSTWARP_EMU_RUNTIME_MODULE_LOADED_IMAGE_H
#define HOSTWARP_EMU_RUNTIME_MODULE_LOADED_IMAGE_H

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "emu_runtime/module/targets.h"
#include "emu_runtime/support/status.h"
#include "include/hostwarp/device_abi.h"

namespace hostwarp::modules {

// OpenedImage is a shared object that the dynamic linker has loaded from bytes.
struct OpenedImage {
  void *handle;        // dlopen()'s
  int file;            // keeps the name that the dynamic linker knows it by from being used again
  const void *object;  // where it is loaded
};

// openImage() loads the shared object. Its images are registered and wait to be claimed.
Expected<OpenedImage> openImage(std::string_view bytes);

// LoadedImage is one loading of a shared object with device code. Loading the same image twice gives two sets of
// variables. Immutable once made, so thread-safe.
class LoadedImage {
 public:
  // load() takes a content of any form that imageBytes() knows, for devices of this capability (targets.h).
  static Expected<std::shared_ptr<LoadedImage>> load(std::string_view content, int capability);

  // Unloads. pre: no kernel of it runs or is queued.
  ~LoadedImage();
  LoadedImage(const LoadedImage &) = delete;
  LoadedImage &operator=(const LoadedImage &) = delete;

  // kernel() and variable() find by the mangled name; null when there is none. The address of an hw_kernel is what the
  // launch functions take for a host function.
  const hw_kernel *kernel(std::string_view name) const;
  const hw_variable *variable(std::string_view name) const;
  const std::vector<const hw_kernel *> &kernels() const { return kernels_; }

 private:
  explicit LoadedImage(OpenedImage opened) : opened_(opened) {}
  static Expected<std::shared_ptr<LoadedImage>> open(std::string_view bytes, int capability, Form form);
  Status claim(int capability, Form form);
  Status choose(const std::vector<const hw_image *> &all, int capability, Form form);

  OpenedImage opened_;
  std::vector<const hw_image *> images_;  // one of each source
  std::vector<const hw_kernel *> kernels_;
};

}  // namespace hostwarp::modules

#endif  // HOSTWARP_EMU_RUNTIME_MODULE_LOADED_IMAGE_H
