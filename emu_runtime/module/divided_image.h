// DividedImage: a large PTX module, whose kernels are compiled when somebody wants them.
#ifndef HOSTWARP_EMU_RUNTIME_MODULE_DIVIDED_IMAGE_H
#define HOSTWARP_EMU_RUNTIME_MODULE_DIVIDED_IMAGE_H

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "emu_runtime/module/loaded_image.h"
#include "emu_runtime/module/ptx_parts.h"
#include "emu_runtime/support/status.h"
#include "fibers/mutex.h"

namespace hostwarp::modules {

// DividedImage has the module's variables from the beginning, at one address for all kernels. A kernel is an image of
// its own, with a copy of the functions that it calls; threads that want the same one at the same time wait for one
// compilation.
class DividedImage final : public LoadedImage, public std::enable_shared_from_this<DividedImage> {
 public:
  // load() has hwcc divide the PTX, which may be packed. Null: it is to be compiled as a whole, which also tells what
  // is wrong with it. Blocks.
  static Expected<std::shared_ptr<LoadedImage>> load(const std::string &ptx, int capability, Form form);
  ~DividedImage() override;

  const hw_kernel *kernel(std::string_view name) const override;
  const hw_variable *variable(std::string_view name) const override { return variables_->variable(name); }
  const std::vector<const hw_kernel *> &kernels() const override { return names_; }

 private:
  // Entry is one kernel. Its address, that of `handle`, is what the program has in hand.
  struct Entry {
    std::string name;
    hw_kernel handle{};
    Mutex mutex;  // held while it is compiled
    std::shared_ptr<LoadedImage> part HOSTWARP_GUARDED_BY(mutex);
  };

  DividedImage(PtxParts parts, std::shared_ptr<LoadedImage> variables, int capability, Form form)
      : parts_(std::move(parts)), variables_(std::move(variables)), capability_(capability), form_(form) {}
  void registerKernels();
  Expected<const hw_kernel *> codeOf(Entry &entry) const;
  Expected<std::shared_ptr<LoadedImage>> loadPart(const PtxParts::Part &part) const;

  const PtxParts parts_;
  const std::shared_ptr<LoadedImage> variables_;
  const int capability_;
  const Form form_;
  std::map<std::string, std::unique_ptr<Entry>, std::less<>> entries_;
  std::vector<const hw_kernel *> names_;
};

}  // namespace hostwarp::modules

#endif  // HOSTWARP_EMU_RUNTIME_MODULE_DIVIDED_IMAGE_H
