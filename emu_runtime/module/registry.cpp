#include "emu_runtime/module/registry.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <span>
#include <utility>

namespace hostwarp::modules {

namespace {

// FatBinaryWrapper is what NVIDIA's host ABI passes to __cudaRegisterFatBinary().
struct FatBinaryWrapper {
  int32_t magic;
  int32_t version;
  const char *data;
  const void *unused;
};

// FatBinary is the content that hwcc embeds.
struct FatBinary {
  char magic[8];
  uint64_t imageId;
};
static_assert(sizeof(HW_IMAGE_MAGIC) - 1 == sizeof(FatBinary::magic));

// objectOf() returns the load address of the executable or shared object that an address belongs to.
const void *objectOf(const void *address) {
  Dl_info info;
  return dladdr(address, &info) ? info.dli_fbase : nullptr;
}

// nameOf() finds the name of a function that is not registered with one.
std::string nameOf(const void *function) {
  Dl_info info;
  return dladdr(function, &info) && info.dli_sname ? demangle(info.dli_sname) : "a plain C++ kernel";
}

// imageIdOf() reads the id from a fat binary; false when the binary was not made by hwcc.
bool imageIdOf(const void *wrapper, uint64_t &id) {
  const auto *outer = static_cast<const FatBinaryWrapper *>(wrapper);
  if (!outer || !outer->data || std::memcmp(outer->data, HW_IMAGE_MAGIC, sizeof(FatBinary::magic)) != 0) return false;
  std::memcpy(&id, outer->data + offsetof(FatBinary, imageId), sizeof(id));
  return true;
}

template <typename Row>
const Row *findByName(const Row *rows, uint64_t count, const char *name) {
  const Row *end = rows + count;
  const Row *found = std::find_if(rows, end, [&](const Row &row) { return std::strcmp(row.name, name) == 0; });
  return found == end ? nullptr : found;
}

}  // namespace

Registry &Registry::process() {
  static auto *registry = new Registry;
  return *registry;
}

void Registry::addImage(const hw_image *image) {
  std::unique_lock lock(mutex_);
  images_.push_back({image, objectOf(image), false});
  // Now, because demangling a template's name takes more stack than device code has.
  for (const hw_kernel &code : std::span(image->kernels, image->kernelCount))
    if (code.stub) byStub_.try_emplace(code.stub, std::make_shared<Kernel>(nullptr, &code, demangle(code.name)));
}

void Registry::removeStubs(const hw_image *image) {
  for (const hw_kernel &code : std::span(image->kernels, image->kernelCount))
    if (auto known = byStub_.find(code.stub); known != byStub_.end() && known->second->code() == &code)
      byStub_.erase(known);
}

Module *Registry::addModule(const void *fatBinaryWrapper) {
  auto module = std::make_unique<Module>();
  std::unique_lock lock(mutex_);
  uint64_t id = 0;
  if (imageIdOf(fatBinaryWrapper, id)) module->image = claimImage(id, objectOf(fatBinaryWrapper));
  modules_.push_back(std::move(module));
  return modules_.back().get();
}

const hw_image *Registry::claimImage(uint64_t id, const void *object) {
  LoadedImage *best = nullptr;
  for (LoadedImage &candidate : images_) {
    if (candidate.object != object || candidate.image->id != id) continue;
    if (!best || best->claimed || !candidate.claimed) best = &candidate;
  }
  if (!best) return nullptr;
  best->claimed = true;
  return best->image;
}

const hw_image *Registry::removeModule(const Module *module) {
  std::unique_lock lock(mutex_);
  auto found = std::find_if(modules_.begin(), modules_.end(), [&](const auto &owned) { return owned.get() == module; });
  if (found == modules_.end()) return nullptr;
  const hw_image *image = module->image;
  for (const void *kernel : module->kernels) kernels_.erase(kernel);
  if (image) removeStubs(image);
  for (const void *variable : module->variables) variables_.erase(variable);
  std::erase_if(images_, [&](const LoadedImage &loaded) { return loaded.image == image; });
  modules_.erase(found);
  return image;
}

void Registry::addKernel(Module *module, const void *hostFunction, const char *deviceName) {
  const hw_image *image = module->image;
  const hw_kernel *code = image ? findByName(image->kernels, image->kernelCount, deviceName) : nullptr;
  auto kernel = std::make_shared<Kernel>(hostFunction, code, demangle(deviceName));
  std::unique_lock lock(mutex_);
  module->kernels.push_back(hostFunction);
  if (code && code->stub) byStub_[code->stub] = kernel;
  kernels_[hostFunction] = std::move(kernel);
}

const hw_variable *Registry::addVariable(Module *module, const void *hostVariable, const char *deviceName,
                                         ReferenceKind reference, bool normalizedRead) {
  const hw_image *image = module->image;
  const hw_variable *storage = image ? findByName(image->variables, image->variableCount, deviceName) : nullptr;
  if (!storage) return nullptr;
  auto variable = std::make_shared<Variable>(Variable{hostVariable, storage, reference, normalizedRead});
  std::unique_lock lock(mutex_);
  for (const void *handle : {hostVariable, static_cast<const void *>(storage->address)}) {
    module->variables.push_back(handle);
    variables_[handle] = variable;
  }
  return storage;
}

std::vector<const hw_image *> Registry::claimImages(const void *object) {
  std::unique_lock lock(mutex_);
  std::vector<const hw_image *> found;
  for (LoadedImage &loaded : images_) {
    if (loaded.object != object || loaded.claimed) continue;
    loaded.claimed = true;
    found.push_back(loaded.image);
  }
  return found;
}

void Registry::addLoadedKernel(const hw_kernel *code) {
  auto kernel = std::make_shared<Kernel>(code, code, demangle(code->name));
  std::unique_lock lock(mutex_);
  kernels_[code] = std::move(kernel);
}

void Registry::removeImages(const void *object) {
  std::unique_lock lock(mutex_);
  for (const LoadedImage &loaded : images_) {
    if (loaded.object != object) continue;
    for (uint64_t i = 0; i < loaded.image->kernelCount; ++i) kernels_.erase(&loaded.image->kernels[i]);
    removeStubs(loaded.image);
  }
  std::erase_if(images_, [&](const LoadedImage &loaded) { return loaded.object == object; });
}

void Registry::addPlainKernel(const void *hostFunction, const hw_kernel *code) {
  if (kernel(hostFunction)) return;
  auto made = std::make_shared<Kernel>(hostFunction, code, nameOf(hostFunction));
  made->setSerialBlocks();
  std::unique_lock lock(mutex_);
  kernels_.emplace(hostFunction, std::move(made));
}

std::shared_ptr<Kernel> Registry::kernel(const void *function) const {
  std::shared_lock lock(mutex_);
  for (const auto *known : {&kernels_, &byStub_})
    if (auto found = known->find(function); found != known->end()) return found->second;
  return nullptr;
}

std::shared_ptr<Variable> Registry::variable(const void *hostVariable) const {
  std::shared_lock lock(mutex_);
  auto found = variables_.find(hostVariable);
  return found == variables_.end() ? nullptr : found->second;
}

}  // namespace hostwarp::modules
