// Device code that the program has loaded, by its handles.
#ifndef HOSTWARP_EMU_RUNTIME_DRIVER_MODULES_H
#define HOSTWARP_EMU_RUNTIME_DRIVER_MODULES_H

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "emu_runtime/device/context.h"
#include "emu_runtime/driver/declarations.h"
#include "emu_runtime/module/kernel.h"
#include "emu_runtime/module/loaded_image.h"

namespace hostwarp::driver_api {

// LoadedModule is what a CUmodule names: an image, and the context whose device has its variables.
struct LoadedModule {
  std::shared_ptr<modules::LoadedImage> image;
  device::ContextRef context;

  bool operator==(const LoadedModule &) const = default;
};

// moduleFor() is the one module of this image in the current context. forgetModules() drops the image's modules.
Expected<CUmodule> moduleFor(const std::shared_ptr<modules::LoadedImage> &image);
void forgetModules(const std::shared_ptr<modules::LoadedImage> &image);

// moduleOf() finds a module that lives.
Expected<LoadedModule> moduleOf(CUmodule handle);

// moduleWith() is the module that a kernel of a loaded image belongs to, null when it belongs to none.
CUmodule moduleWith(const void *function);

// readImageFile() gives a file's content.
Expected<std::string> readImageFile(const char *path);

// JitLog writes what loading had to say into the buffers that CU_JIT_* options name. The array of values must live as
// long if the options ask for something; the options need not.
class JitLog {
 public:
  JitLog(unsigned count, const CUjit_option *options, void **values)
      : options_(options, options + count), values_(values) {}
  // finish() fills the error log from a failure (empty otherwise), sets the sizes and the time since the log was made,
  // and passes the status on.
  Status finish(const Status &status) const;
  // number() is the value of the option, 0 where it was not given.
  unsigned number(CUjit_option wanted) const;

 private:
  void **value(CUjit_option wanted) const;
  void write(CUjit_option buffer, CUjit_option size, const std::string &text) const;

  std::vector<CUjit_option> options_;
  void **values_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace hostwarp::driver_api

#endif  // HOSTWARP_EMU_RUNTIME_DRIVER_MODULES_H
