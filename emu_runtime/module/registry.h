// Registry: the device code of this process, and the host functions and variables that stand for it.
#ifndef HOSTWARP_EMU_RUNTIME_MODULE_REGISTRY_H
#define HOSTWARP_EMU_RUNTIME_MODULE_REGISTRY_H

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "emu_runtime/module/kernel.h"
#include "emu_runtime/module/targets.h"
#include "fibers/mutex.h"

namespace hostwarp::modules {

// Module is one registered fat binary: a translation unit's host object and the images that belong to it, one for each
// architecture that the source is different for.
struct Module {
  std::vector<const hw_image *> images;  // empty: no code for hostwarp in it
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

  // LoadingImage is the time in which this thread loads an image for somebody who will claim it.
  struct LoadingImage {
    LoadingImage();
    ~LoadingImage();
    LoadingImage(const LoadingImage &) = delete;
    LoadingImage &operator=(const LoadingImage &) = delete;

    // isActive() tells whether this thread is in one.
    static bool isActive();
  };

  // addModule() ties the fat binary to the images of its id within the same executable or shared object.
  Module *addModule(const void *fatBinaryWrapper);

  // removeModule() forgets the module's kernels, variables and images, and returns the images. Unknown handles are
  // ignored.
  std::vector<const hw_image *> removeModule(const Module *module);

  void addKernel(Module *module, const void *hostFunction, const char *deviceName);
  // addVariable() returns the variable's storage in the first image that has one of that name, null when none does.
  const hw_variable *addVariable(Module *module, const void *hostVariable, const char *deviceName,
                                 ReferenceKind reference = ReferenceKind::None, bool normalizedRead = false);

  // claimImages() gives the images of the shared object at this load address to the caller, who answers for them.
  // addLoadedKernel() registers a kernel of such an image; its code's address stands for the host function.
  // removeImages() forgets the object's images and the kernels of theirs.
  std::vector<const hw_image *> claimImages(const void *object, Form form = Form::Compiled);
  void addLoadedKernel(const hw_kernel *code);
  void removeImages(const void *object);

  // addKernelOnDemand() registers a kernel whose code is made when it is first looked up; `name` stands for the host
  // function, and for nothing else. removeKernelOnDemand() forgets it and its code.
  using CodeMaker = std::function<Expected<const hw_kernel *>()>;
  void addKernelOnDemand(const hw_kernel *name, CodeMaker make);
  void removeKernelOnDemand(const hw_kernel *name);
  // onDemand() is the name of a kernel whose code has not been made; null for others.
  const hw_kernel *onDemand(const void *function) const;

  // addPlainKernel() registers a kernel that an ordinary C++ compiler made, unless the function is known already.
  void addPlainKernel(const void *hostFunction, const hw_kernel *code);

  // kernel() and variable() return what the address stands for on devices of this capability, null when nothing is
  // registered there: a kernel's host function or its stub in device code, a variable of the host's. Where no image
  // fits, the kernel is one without code, the variable one without storage. Where another build of the program's images
  // is wanted, the first call makes and loads it. A kernel's code that is made on demand is made by the first call,
  // which blocks; what fails is said by the kernel, and tried again.
  static constexpr int anyCapability = 0;
  std::shared_ptr<Kernel> kernel(const void *function, int capability = anyCapability);
  std::shared_ptr<Variable> variable(const void *hostVariable, int capability = anyCapability);

  // versionsOf() are those of a kernel's code on such a device.
  Versions versionsOf(const hw_kernel *code, int capability) const;
  // imageOf() is the image that the code is in; null for plain C++.
  const hw_image *imageOf(const hw_kernel *code) const;

  // process() is never destroyed: destructors of static objects still unregister.
  static Registry &process();

 private:
  struct LoadedImage {
    const hw_image *image;
    const void *object;  // load address of the executable or shared object
    bool claimed;        // some module has it
    Form form = Form::Compiled;
  };
  // Entity is a kernel or variable as each of its module's images has it (null: the image does not), and without any.
  // With no list of images it is the same on every device.
  template <typename Of>
  struct Entity {
    std::vector<const hw_image *> images;
    std::vector<std::shared_ptr<Of>> inImages;
    std::shared_ptr<Of> alone;
    std::shared_ptr<Of> on(int capability) const;
  };
  // Dropped kernels are destroyed once the lock is released.
  using Dropped = std::vector<Entity<Kernel>>;
  void drop(const void *function, Dropped &dropped) HOSTWARP_REQUIRES(mutex_);
  using Replacements = std::unordered_map<const hw_image *, const hw_image *>;
  std::vector<const hw_image *> imagesOf(uint64_t id, const void *object) HOSTWARP_REQUIRES(mutex_);
  const LoadedImage *loadedWith(const hw_kernel *code) const HOSTWARP_REQUIRES_SHARED(mutex_);
  std::shared_ptr<Kernel> known(const void *function, int capability) const;
  std::shared_ptr<Kernel> makeOnDemand(const void *function);
  void buildWaiting();
  std::map<const void *, std::vector<const hw_image *>> takeWaiting();
  void replaceImages(const std::vector<const hw_image *> &images);
  void replaceImages(const Replacements &replacements) HOSTWARP_REQUIRES(mutex_);
  void removeStubs(const hw_image *image) HOSTWARP_REQUIRES(mutex_);

  Mutex building_;  // held while another build is made, before mutex_
  std::atomic<bool> someWait_ = false;

  mutable SharedMutex mutex_;
  // Images of the program's that are to be replaced by another build.
  std::vector<LoadedImage> waiting_ HOSTWARP_GUARDED_BY(mutex_);
  std::vector<LoadedImage> images_ HOSTWARP_GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<Module>> modules_ HOSTWARP_GUARDED_BY(mutex_);
  std::unordered_map<const void *, Entity<Kernel>> kernels_ HOSTWARP_GUARDED_BY(mutex_);
  std::unordered_map<const void *, Entity<Variable>> variables_ HOSTWARP_GUARDED_BY(mutex_);
  struct OnDemand {
    const hw_kernel *name;
    CodeMaker make;
  };
  std::unordered_map<const void *, OnDemand> onDemand_ HOSTWARP_GUARDED_BY(mutex_);
  // Kernels that device code can name, by stub.
  std::unordered_map<const void *, std::shared_ptr<Kernel>> byStub_ HOSTWARP_GUARDED_BY(mutex_);
};

}  // namespace hostwarp::modules

#endif  // HOSTWARP_EMU_RUNTIME_MODULE_REGISTRY_H
