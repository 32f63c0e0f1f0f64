// Code that hwcc makes of one kernel for blocks of one shape while the program runs.
#ifndef HOSTWARP_EMU_RUNTIME_MODULE_SPECIALISED_CODE_H
#define HOSTWARP_EMU_RUNTIME_MODULE_SPECIALISED_CODE_H

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "emu_runtime/module/loaded_image.h"
#include "emu_runtime/support/status.h"
#include "include/hostwarp/device_abi.h"

namespace hostwarp::modules {

// KernelSource is what a kernel is made of once more: a copy, since the image may be unloaded while hwcc compiles.
struct KernelSource {
  std::string name;  // mangled
  std::string code;  // what the image carries
  std::map<std::string, void *> variables;
  uint32_t parameterCount = 0;
  uint64_t staticSharedBytes = 0;
};
KernelSource sourceOf(const hw_image &image, const hw_kernel &kernel);

// SpecialisedCode is a loaded image with one entry, which uses the variables of the image that the kernel is from. It
// is unloaded with the object. Immutable, so thread-safe.
class SpecialisedCode {
 public:
  // compile() has hwcc make the image, unless it is in the user's cache. Blocks. Fails where there is no hwcc, where
  // the kernel cannot run in whole blocks, and where it uses what only its own image has.
  static Expected<std::string> compile(const KernelSource &source, const hw_dim3 &block);
  // load() takes what compile() has made of the same. pre: the image that the source is from is loaded.
  static Expected<std::shared_ptr<const SpecialisedCode>> load(const std::string &image, const KernelSource &source,
                                                               const hw_dim3 &block);
  ~SpecialisedCode();
  SpecialisedCode(const SpecialisedCode &) = delete;
  SpecialisedCode &operator=(const SpecialisedCode &) = delete;

  const hw_kernel &code() const { return *code_; }
  const hw_entry &entry() const { return *entry_; }

 private:
  explicit SpecialisedCode(OpenedImage opened) : opened_(opened) {}
  Status findEntry(const KernelSource &source, const hw_dim3 &block);

  const OpenedImage opened_;
  const hw_kernel *code_ = nullptr;
  const hw_entry *entry_ = nullptr;
};

}  // namespace hostwarp::modules

#endif  // HOSTWARP_EMU_RUNTIME_MODULE_SPECIALISED_CODE_H
