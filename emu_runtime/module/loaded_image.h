// Device code that a program loads while it runs.
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

// LoadedImage is one loading of device code. Loading the same image twice gives two sets of variables. What it answers
// never changes, so thread-safe.
class LoadedImage {
 public:
  // load() takes a content of any form that imageBytes() knows, for devices of this capability (targets.h). Of large
  // PTX kernels are compiled when somebody wants them (divided_image.h).
  static Expected<std::shared_ptr<LoadedImage>> load(std::string_view content, int capability);

  // Unloads. pre: no kernel of it runs or is queued.
  virtual ~LoadedImage() = default;
  LoadedImage(const LoadedImage &) = delete;
  LoadedImage &operator=(const LoadedImage &) = delete;

  // kernel() and variable() find by the mangled name; null when there is none. The address of an hw_kernel is what the
  // launch functions take for a host function; what it holds is not the kernel's code.
  virtual const hw_kernel *kernel(std::string_view name) const = 0;
  virtual const hw_variable *variable(std::string_view name) const = 0;
  virtual const std::vector<const hw_kernel *> &kernels() const = 0;

 protected:
  LoadedImage() = default;
};

// WholeImage is one loading of a shared object.
class WholeImage final : public LoadedImage {
 public:
  // load() takes the shared object that an image is.
  static Expected<std::shared_ptr<LoadedImage>> load(std::string_view bytes, int capability, Form form);
  // open() takes it as it is, whatever build is wanted.
  static Expected<std::shared_ptr<WholeImage>> open(std::string_view bytes, int capability, Form form);
  ~WholeImage() override;

  const hw_kernel *kernel(std::string_view name) const override;
  const hw_variable *variable(std::string_view name) const override;
  const std::vector<const hw_kernel *> &kernels() const override { return kernels_; }
  // images() are those that fit the capability, one of each source.
  const std::vector<const hw_image *> &images() const { return images_; }

 private:
  explicit WholeImage(OpenedImage opened) : opened_(opened) {}
  Status claim(int capability, Form form);
  Status choose(const std::vector<const hw_image *> &all, int capability, Form form);

  OpenedImage opened_;
  std::vector<const hw_image *> images_;
  std::vector<const hw_kernel *> kernels_;
};

}  // namespace hostwarp::modules

#endif  // HOSTWARP_EMU_RUNTIME_MODULE_LOADED_IMAGE_H
