// HandMadeModule: kernels and variables as hwcc would embed them, for tests that are built without hwcc.
#ifndef HOSTWARP_TESTS_SUPPORT_HAND_MADE_MODULE_H
#define HOSTWARP_TESTS_SUPPORT_HAND_MADE_MODULE_H

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "include/hostwarp/device_abi.h"

extern "C" {
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaRegisterFunction(void **handle, const char *hostFunction, char *deviceFunction, const char *deviceName,
                            int threads, void *, void *, void *, void *, int *);
void __cudaRegisterVar(void **handle, char *hostVariable, char *, const char *name, int, size_t, int, int);
void __cudaRegisterManagedVar(void **handle, void **hostPointer, char *, const char *name, int, size_t, int, int);
}

// Kernels get addresses from callers that err on purpose: the fault is the runtime's to catch.
#define HOSTWARP_HAND_MADE [[gnu::no_sanitize("address", "undefined")]]

namespace hostwarp::tests {

// argument() is a kernel's parameter.
template <typename T>
HOSTWARP_HAND_MADE [[gnu::always_inline]] inline T argument(void *const *args, int index) {
  return *static_cast<T *>(args[index]);
}

// HandMadeKernel is a kernel and the handle by which host code launches it.
struct HandMadeKernel {
  const char *handle;
  hw_kernel code;
};

// handMadeEntry() is there for the process's life.
inline const hw_entry *handMadeEntry(hw_kernel_entry entry) {
  return new hw_entry{{entry}, HW_ENTRY_OF_THREAD, HW_ISA_BASELINE, {}, 0};
}

inline HandMadeKernel handMadeKernel(const char *handle, const char *name, hw_kernel_entry entry) {
  hw_kernel code{};
  code.name = name;
  code.entries = handMadeEntry(entry);
  code.entryCount = 1;
  code.flags = HW_KERNEL_MAY_BLOCK;
  code.sharedAlignment = 16;
  code.registers = 32;
  return {handle, code};
}

// `parameters` must stay where they are.
template <size_t count>
HandMadeKernel handMadeKernel(const char *handle, const char *name, hw_kernel_entry entry,
                              const hw_parameter (&parameters)[count]) {
  HandMadeKernel kernel = handMadeKernel(handle, name, entry);
  kernel.code.parameters = parameters;
  kernel.code.parameterCount = count;
  return kernel;
}

// HandMadeVariable is a variable and what host code knows it by: a name's address, or a managed variable's pointer.
struct HandMadeVariable {
  void *handle;
  hw_variable variable;
};

// HandMadeModule registers a module as an executable's constructors would. It must have static storage, like an image
// in an executable: it has to lie in the same object as the fat binary, and stays registered.
class HandMadeModule {
 public:
  HandMadeModule(uint64_t id, const char *source, const std::vector<HandMadeKernel> &kernels,
                 const std::vector<HandMadeVariable> &variables) {
    for (const HandMadeKernel &kernel : kernels) kernels_.push_back(kernel.code);
    for (const HandMadeVariable &variable : variables) variables_.push_back(variable.variable);
    fatBinary_.id = id;
    wrapper_.data = &fatBinary_;
    image_ = {HW_DEVICE_ABI_VERSION, 0,       id, source, kernels_.data(), kernels_.size(), variables_.data(),
              variables_.size(),     nullptr, 0};
    hw_register_image(&image_);
    void **module = __cudaRegisterFatBinary(&wrapper_);
    for (const HandMadeKernel &kernel : kernels)
      __cudaRegisterFunction(module, kernel.handle, nullptr, kernel.code.name, -1, nullptr, nullptr, nullptr, nullptr,
                             nullptr);
    for (const auto &[handle, variable] : variables) add(module, handle, variable);
    __cudaRegisterFatBinaryEnd(module);
  }
  HandMadeModule(const HandMadeModule &) = delete;
  HandMadeModule &operator=(const HandMadeModule &) = delete;

 private:
  static void add(void **module, void *handle, const hw_variable &variable) {
    if (variable.kind == HW_VARIABLE_MANAGED)
      return __cudaRegisterManagedVar(module, static_cast<void **>(handle), nullptr, variable.name, 0, variable.bytes,
                                      0, 0);
    __cudaRegisterVar(module, static_cast<char *>(handle), nullptr, variable.name, 0, variable.bytes,
                      variable.kind == HW_VARIABLE_CONSTANT, 0);
  }

  // Never destroyed: work may be in flight when the program ends, and an image's tables would still be there.
  std::vector<hw_kernel> &kernels_ = *new std::vector<hw_kernel>;
  std::vector<hw_variable> &variables_ = *new std::vector<hw_variable>;
  struct {
    char magic[8] = {'H', 'W', 'I', 'M', 'A', 'G', 'E', '1'};
    uint64_t id = 0;
  } fatBinary_;
  struct {
    int magic = 0x466243b1, version = 1;
    const void *data = nullptr, *unused = nullptr;
  } wrapper_;
  hw_image image_{};
};

}  // namespace hostwarp::tests

#endif  // HOSTWARP_TESTS_SUPPORT_HAND_MADE_MODULE_H
