// Kernels that come to the same code for several architectures: one image has it, and those after it name it.
#ifndef HOSTWARP_COMPILER_DEVICE_SHARED_KERNELS_H
#define HOSTWARP_COMPILER_DEVICE_SHARED_KERNELS_H

#include <map>
#include <string>
#include <vector>

#include "compiler/device/device_module.h"

namespace hostwarp::compiler {

// SharedKernels are those of images of one source that were made before, by their texts (kernel_text.h). The objects
// of these images are linked together. One thread at a time.
class SharedKernels {
 public:
  // take() moves those of the module's kernels that an image has to `DeviceModule::taken`, and drops their code.
  void take(DeviceModule &device);

  // giveBack() gives these the entries that there are, and lets later images refer to those of the other kernels.
  void giveBack(DeviceModule &device);

 private:
  struct Known {
    Kernel kernel;                     // of functions only their names last
    std::vector<std::string> symbols;  // of its entries
  };

  void offer(Kernel &kernel, const std::string &unique);
  void restore(DeviceModule &device, Kernel &kernel) const;

  std::map<std::string, Known> known_;
};

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_SHARED_KERNELS_H
