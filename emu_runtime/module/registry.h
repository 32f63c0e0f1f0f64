// Registry: the device code of this process, and the host functions and variables that stand for it.
#ifndef HOSTWARP_EMU_RUNTIME_MODULE_REGISTRY_H
#define HOSTWARP_EMU_RUNTIME_MODULE_REGISTRY_H

#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <unordered_map>
#include <vector>

#include "emu_runtime/module/kernel.h"

namespace hostwarp::modules {

// Module is one registered fat binary: a translation unit's host object and the image that belongs to it.
struct Module {
  const hw_image *image = nullptr;  // null: no code for hostwarp in it
  std::vector<const void *> kernels;
  std::vector<const void *> variables;
};

// Registry is filled by constructors of executables and shared objects before main() or during dlopen(), and looked up
// at launches. Where something is registered twice at one address, the later one counts: the earlier one belonged to
// a shared object that is gone. Thread-safe.
class Registry {
 public:
  // addImage() announces device code. Storage and code must stay until the shared object is closed.
  void addImage(const hw_image *image);

  // addModule() ties the fat binary to the image of its id within the same executable or shared object.
  Module *addModule(const void *fatBinaryWrapper);

  // removeModule() forgets the module's kernels, variables and image, and returns the image (null when it had none).
  // Unknown handles are ignored.
  const hw_image *removeModule(const Module *module);

  void addKernel(Module *module, const void *hostFunction, const char *deviceName);
  // addVariable() returns the variable's storage, null when the image has none of that name.
  const hw_variable *addVariable(Module *module, const void *hostVariable, const char *deviceName,
                                 ReferenceKind reference = ReferenceKind::None, bool normalizedRead = false);

  // claimImages() gives the images of the shared object at this load address to the caller, who answers for them.
  // addLoadedKernel() registers a kernel of such an image; its code's address stands for the host function.
  // removeImages() forgets the object's images and the kernels of theirs.
  std::vector<const hw_image *> claimImages(const void *object);
  void addLoadedKernel(const hw_kernel *code);
  void removeImages(const void *object);

  // addPlainKernel() registers a kernel that an ordinary C++ compiler made, unless the function is known already.
  void addPlainKernel(const void *hostFunction, const hw_kernel *code);

  // kernel() and variable() return what the address stands for, null when nothing is registered there: a kernel's host
  // function or its stub in device code, a variable of the host's.
  std::shared_ptr<Kernel> kernel(const void *function) const;
  std::shared_ptr<Variable> variable(const void *hostVariable) const;

  // process() is never destroyed: destructors of static objects still unregister.
  static Registry &process();

 private:
  struct LoadedImage {
    const hw_image *image;
    const void *object;  // load address of the executable or shared object
    bool claimed;        // some module has it
  };
  const hw_image *claimImage(uint64_t id, const void *object);
  void removeStubs(const hw_image *image);

  mutable std::shared_mutex mutex_;
  std::vector<LoadedImage> images_;                                        // guarded by mutex_
  std::vector<std::unique_ptr<Module>> modules_;                           // guarded by mutex_
  std::unordered_map<const void *, std::shared_ptr<Kernel>> kernels_;      // guarded by mutex_
  std::unordered_map<const void *, std::shared_ptr<Variable>> variables_;  // guarded by mutex_
  // Kernels that device code can name, by stub.
  std::unordered_map<const void *, std::shared_ptr<Kernel>> byStub_;  // guarded by mutex_
};

}  // namespace hostwarp::modules

#endif  // HOSTWARP_EMU_RUNTIME_MODULE_REGISTRY_H
