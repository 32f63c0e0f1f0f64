#include "emu_runtime/module/registry.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <iterator>
#include <ranges>
#include <span>
#include <utility>

#include "emu_runtime/memory/allocation_table.h"
#include "emu_runtime/module/device_variables.h"
#include "emu_runtime/module/loaded_image.h"
#include "emu_runtime/module/other_builds.h"

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

// lendManaged() tells another build of an image where its managed variables are.
void lendManaged(const hw_image &image, const hw_image &build) {
  for (const hw_variable &borrowed : std::span(build.variables, build.variableCount)) {
    if (borrowed.kind != HW_VARIABLE_BORROWED) continue;
    for (const hw_variable &own : std::span(image.variables, image.variableCount))
      if (std::strcmp(own.name, borrowed.name) == 0) std::memcpy(borrowed.address, &own.address, sizeof own.address);
  }
}

template <typename Row>
const Row *findByName(const Row *rows, uint64_t count, const char *name) {
  const Row *end = rows + count;
  const Row *found = std::find_if(rows, end, [&](const Row &row) { return std::strcmp(row.name, name) == 0; });
  return found == end ? nullptr : found;
}

// loadingImages is how many the thread is loading.
thread_local int loadingImages = 0;

}  // namespace

Registry::LoadingImage::LoadingImage() { ++loadingImages; }
Registry::LoadingImage::~LoadingImage() { --loadingImages; }
bool Registry::LoadingImage::isActive() { return loadingImages > 0; }

Registry &Registry::process() {
  static auto *registry = new Registry;
  return *registry;
}

void Registry::addImage(const hw_image *image) {
  WriterLock lock(mutex_);
  images_.push_back({image, objectOf(image), false});
  if (!LoadingImage::isActive() && wantsOtherBuild()) {
    waiting_.push_back(images_.back());
    someWait_ = true;
    memory::AllocationTable::process().keepFreed();
    memory::AllocationTable::ofHeaps().keepFreed();
  }
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
  WriterLock lock(mutex_);
  uint64_t id = 0;
  if (imageIdOf(fatBinaryWrapper, id)) module->images = imagesOf(id, objectOf(fatBinaryWrapper));
  modules_.push_back(std::move(module));
  return modules_.back().get();
}

// Where several images have the id and the same targets, the last one counts that has not been claimed.
std::vector<const hw_image *> Registry::imagesOf(uint64_t id, const void *object) {
  std::vector<LoadedImage *> found;
  for (LoadedImage &candidate : images_)
    if (candidate.object == object && candidate.image->id == id) found.push_back(&candidate);
  const auto isFree = [](const LoadedImage *candidate) { return !candidate->claimed; };
  if (std::ranges::any_of(found, isFree)) std::erase_if(found, std::not_fn(isFree));
  std::vector<const hw_image *> images;
  for (LoadedImage *candidate : found | std::views::reverse) {
    const auto isSame = [&](const hw_image *image) { return sameTargets(*image, *candidate->image); };
    if (std::ranges::any_of(images, isSame)) continue;
    candidate->claimed = true;
    images.push_back(candidate->image);
  }
  return images;
}

// drop(): with a kernel its specialised code goes, for which the dynamic linker's lock and this registry's are taken.
void Registry::drop(const void *function, Dropped &dropped) {
  if (auto node = kernels_.extract(function)) dropped.push_back(std::move(node.mapped()));
}

std::vector<const hw_image *> Registry::removeModule(const Module *module) {
  Dropped dropped;
  WriterLock lock(mutex_);
  auto found = std::find_if(modules_.begin(), modules_.end(), [&](const auto &owned) { return owned.get() == module; });
  if (found == modules_.end()) return {};
  std::vector<const hw_image *> images = module->images;
  for (const void *kernel : module->kernels) drop(kernel, dropped);
  for (const hw_image *image : images) removeStubs(image);
  for (const void *variable : module->variables) variables_.erase(variable);
  for (std::vector<LoadedImage> *list : {&images_, &waiting_})
    std::erase_if(*list,
                  [&](const LoadedImage &loaded) { return std::ranges::find(images, loaded.image) != images.end(); });
  modules_.erase(found);
  return images;
}

void Registry::addKernel(Module *module, const void *hostFunction, const char *deviceName) {
  const std::string name = demangle(deviceName);
  Entity<Kernel> entity{module->images, {}, std::make_shared<Kernel>(hostFunction, nullptr, name)};
  Dropped dropped;
  WriterLock lock(mutex_);
  for (const hw_image *image : module->images) {
    const hw_kernel *code = findByName(image->kernels, image->kernelCount, deviceName);
    entity.inImages.push_back(code ? std::make_shared<Kernel>(hostFunction, code, name) : entity.alone);
    if (code && code->stub) byStub_[code->stub] = entity.inImages.back();
  }
  module->kernels.push_back(hostFunction);
  drop(hostFunction, dropped);
  kernels_[hostFunction] = std::move(entity);
}

const hw_variable *Registry::addVariable(Module *module, const void *hostVariable, const char *deviceName,
                                         ReferenceKind reference, bool normalizedRead) {
  Entity<Variable> entity{module->images, {}, std::make_shared<Variable>(Variable{hostVariable})};
  const hw_variable *first = nullptr;
  WriterLock lock(mutex_);
  for (const hw_image *image : module->images) {
    const hw_variable *storage = findByName(image->variables, image->variableCount, deviceName);
    entity.inImages.push_back(nullptr);
    if (!storage) continue;
    if (!first) first = storage;
    entity.inImages.back() = std::make_shared<Variable>(Variable{hostVariable, storage, reference, normalizedRead});
    module->variables.push_back(storage->address);
    variables_[storage->address] = {{}, {}, entity.inImages.back()};
  }
  if (!first) return nullptr;
  module->variables.push_back(hostVariable);
  variables_[hostVariable] = std::move(entity);
  return first;
}

template <typename Of>
std::shared_ptr<Of> Registry::Entity<Of>::on(int capability) const {
  if (images.empty()) return alone;
  if (capability == anyCapability) return inImages.front();
  const auto found = std::ranges::find(images, imageFor(images, capability));
  return found == images.end() ? alone : inImages[static_cast<size_t>(found - images.begin())];
}

std::vector<const hw_image *> Registry::claimImages(const void *object, Form form) {
  WriterLock lock(mutex_);
  std::vector<const hw_image *> found;
  for (LoadedImage &loaded : images_) {
    if (loaded.object != object || loaded.claimed) continue;
    loaded.claimed = true;
    loaded.form = form;
    found.push_back(loaded.image);
  }
  return found;
}

void Registry::addLoadedKernel(const hw_kernel *code) {
  auto kernel = std::make_shared<Kernel>(code, code, demangle(code->name));
  Dropped dropped;
  WriterLock lock(mutex_);
  drop(code, dropped);
  kernels_[code] = {{}, {}, std::move(kernel)};
}

void Registry::removeImages(const void *object) {
  Dropped dropped;
  WriterLock lock(mutex_);
  for (const LoadedImage &loaded : images_) {
    if (loaded.object != object) continue;
    for (uint64_t i = 0; i < loaded.image->kernelCount; ++i) drop(&loaded.image->kernels[i], dropped);
    removeStubs(loaded.image);
  }
  std::erase_if(images_, [&](const LoadedImage &loaded) { return loaded.object == object; });
}

void Registry::addPlainKernel(const void *hostFunction, const hw_kernel *code) {
  if (kernel(hostFunction)) return;
  auto made = std::make_shared<Kernel>(hostFunction, code, nameOf(hostFunction));
  made->setSerialBlocks();
  WriterLock lock(mutex_);
  kernels_.emplace(hostFunction, Entity<Kernel>{{}, {}, std::move(made)});
}

// buildWaiting() makes the other build of each executable and shared object with images that wait for one.
void Registry::buildWaiting() {
  if (!someWait_) return;
  MutexLock building(building_);
  // More may come while these are built; until all are, other threads wait for the lock.
  for (auto waiting = takeWaiting(); !waiting.empty(); waiting = takeWaiting())
    for (const auto &[object, images] : waiting) replaceImages(images);
}

// takeWaiting() gives the images that wait, by object. Where none do, nobody has to build any more.
std::map<const void *, std::vector<const hw_image *>> Registry::takeWaiting() {
  WriterLock lock(mutex_);
  std::map<const void *, std::vector<const hw_image *>> byObject;
  for (const LoadedImage &image : std::exchange(waiting_, {})) byObject[image.object].push_back(image.image);
  if (byObject.empty()) someWait_ = false;
  return byObject;
}

// replaceImages() has the build's images take the place of these. What they belong to stays loaded.
void Registry::replaceImages(const std::vector<const hw_image *> &images) {
  const auto build = makeOtherBuild(images, Managed::OfImages);
  if (!build.ok()) return tellOfMissingBuild(images, build.status());
  const auto opened = openImage(*build);
  if (!opened.ok()) return tellOfMissingBuild(images, opened.status());
  Replacements replacements;
  for (const hw_image *made : claimImages(opened->object)) {
    const auto isOriginal = [&](const hw_image *image) {
      return image->id == made->id && sameTargets(*image, *made) && !replacements.contains(image);
    };
    if (const auto found = std::ranges::find_if(images, isOriginal); found != images.end()) replacements[*found] = made;
  }
  std::vector<const hw_image *> left;
  std::ranges::copy_if(images, std::back_inserter(left),
                       [&](const hw_image *image) { return !replacements.contains(image); });
  if (!left.empty()) tellOfMissingBuild(left, {cudaErrorInvalidKernelImage, "it lacks them"});
  WriterLock lock(mutex_);
  replaceImages(replacements);
}

void Registry::replaceImages(const Replacements &replacements) {
  for (const auto &[image, made] : replacements) {
    lendManaged(*image, *made);
    forgetVariables(*image);
  }
  const auto replace = [&](const hw_image *&image) {
    const auto found = replacements.find(image);
    return found != replacements.end() && (image = found->second) != nullptr;
  };
  for (const auto &module : modules_)
    for (const hw_image *&image : module->images) replace(image);
  for (auto &[function, entity] : kernels_) {
    for (size_t i = 0; i < entity.images.size(); ++i) {
      if (!replace(entity.images[i]) || entity.inImages[i] == entity.alone) continue;
      std::shared_ptr<Kernel> &kernel = entity.inImages[i];
      const hw_image &made = *entity.images[i];
      const hw_kernel *code = findByName(made.kernels, made.kernelCount, kernel->code()->name);
      if (code) kernel = std::make_shared<Kernel>(function, code, kernel->name());
      if (code && code->stub) byStub_[code->stub] = kernel;
    }
  }
  std::vector<std::shared_ptr<Variable>> moved;
  for (auto &[address, entity] : variables_) {
    for (size_t i = 0; i < entity.images.size(); ++i) {
      if (!replace(entity.images[i]) || !entity.inImages[i]) continue;
      const hw_image &made = *entity.images[i];
      const hw_variable *storage = findByName(made.variables, made.variableCount, entity.inImages[i]->storage->name);
      if (!storage || storage->kind == HW_VARIABLE_BORROWED) continue;
      auto variable = std::make_shared<Variable>(*entity.inImages[i]);
      variable->storage = storage;
      entity.inImages[i] = variable;
      moved.push_back(std::move(variable));
    }
  }
  for (const auto &variable : moved) variables_[variable->storage->address] = {{}, {}, variable};
}

void Registry::addKernelOnDemand(const hw_kernel *name, CodeMaker make) {
  WriterLock lock(mutex_);
  onDemand_[name] = {name, std::move(make)};
}

void Registry::removeKernelOnDemand(const hw_kernel *name) {
  Dropped dropped;
  WriterLock lock(mutex_);
  onDemand_.erase(name);
  drop(name, dropped);
}

const hw_kernel *Registry::onDemand(const void *function) const {
  ReaderLock lock(mutex_);
  const auto found = onDemand_.find(function);
  return found == onDemand_.end() || kernels_.contains(function) ? nullptr : found->second.name;
}

// makeOnDemand() makes the code without holding the lock, since that takes seconds.
std::shared_ptr<Kernel> Registry::makeOnDemand(const void *function) {
  OnDemand wanted;
  {
    ReaderLock lock(mutex_);
    const auto found = onDemand_.find(function);
    if (found == onDemand_.end()) return nullptr;
    wanted = found->second;
  }
  const auto code = wanted.make();
  auto kernel = std::make_shared<Kernel>(function, code.ok() ? *code : nullptr, demangle(wanted.name->name),
                                         code.ok() ? Status() : code.status());
  WriterLock lock(mutex_);
  if (!code.ok() || !onDemand_.contains(function)) return kernel;
  return kernels_.try_emplace(function, Entity<Kernel>{{}, {}, std::move(kernel)}).first->second.alone;
}

std::shared_ptr<Kernel> Registry::kernel(const void *function, int capability) {
  buildWaiting();
  auto found = known(function, capability);
  return found ? found : makeOnDemand(function);
}

std::shared_ptr<Kernel> Registry::known(const void *function, int capability) const {
  ReaderLock lock(mutex_);
  if (auto found = kernels_.find(function); found != kernels_.end()) return found->second.on(capability);
  auto found = byStub_.find(function);
  return found == byStub_.end() ? nullptr : found->second;
}

const Registry::LoadedImage *Registry::loadedWith(const hw_kernel *code) const {
  const auto found = std::ranges::find_if(images_, [&](const LoadedImage &loaded) {
    const std::span kernels(loaded.image->kernels, loaded.image->kernelCount);
    return std::less_equal<>()(kernels.data(), code) && std::less<>()(code, kernels.data() + kernels.size());
  });
  return found == images_.end() ? nullptr : &*found;
}

Versions Registry::versionsOf(const hw_kernel *code, int capability) const {
  ReaderLock lock(mutex_);
  const LoadedImage *loaded = loadedWith(code);
  return loaded ? modules::versionsOf(*loaded->image, capability, loaded->form) : Versions{capability, capability};
}

const hw_image *Registry::imageOf(const hw_kernel *code) const {
  ReaderLock lock(mutex_);
  const LoadedImage *loaded = loadedWith(code);
  return loaded ? loaded->image : nullptr;
}

std::shared_ptr<Variable> Registry::variable(const void *hostVariable, int capability) {
  buildWaiting();
  ReaderLock lock(mutex_);
  auto found = variables_.find(hostVariable);
  return found == variables_.end() ? nullptr : found->second.on(capability);
}

}  // namespace hostwarp::modules
