#include "emu_runtime/module/divided_image.h"

#include <cstdlib>
#include <cstring>
#include <utility>

#include "emu_runtime/module/ptx_compiler.h"
#include "emu_runtime/module/registry.h"

namespace hostwarp::modules {

namespace {

// wantsAll() is how a program asks for all kernels to be ready once a module is loaded.
bool wantsAll() {
  const char *loading = std::getenv("CUDA_MODULE_LOADING");
  return loading && std::string_view(loading) == "EAGER";
}

Expected<std::shared_ptr<LoadedImage>> compileAndLoad(const std::string &text, int capability, Form form) {
  const auto bytes = compilePart(text);
  return bytes.ok() ? WholeImage::load(*bytes, capability, form) : bytes.status();
}

}  // namespace

Expected<std::shared_ptr<LoadedImage>> DividedImage::load(const std::string &ptx, int capability, Form form) {
  const std::shared_ptr<LoadedImage> asWhole;
  if (wantsAll()) return asWhole;
  auto divided = dividePtx(ptx);
  if (!divided.ok()) return divided.status();
  auto parts = PtxParts::read(*std::move(divided));
  if (!parts.ok()) return parts.status();
  if (parts->kernels().size() < PtxParts::worthIt) return asWhole;
  auto variables = compileAndLoad(parts->variables().text, capability, form);
  if (!variables.ok()) return variables.status();
  std::shared_ptr<DividedImage> image(new DividedImage(*std::move(parts), *std::move(variables), capability, form));
  image->registerKernels();
  return std::shared_ptr<LoadedImage>(std::move(image));
}

void DividedImage::registerKernels() {
  for (const std::string &name : parts_.kernels()) {
    auto [place, isNew] = entries_.try_emplace(name, std::make_unique<Entry>());
    if (!isNew) continue;
    Entry &entry = *place->second;
    entry.name = name;
    entry.handle.name = entry.name.c_str();
    names_.push_back(&entry.handle);
    Registry::process().addKernelOnDemand(&entry.handle,
                                          [weak = weak_from_this(), &entry]() -> Expected<const hw_kernel *> {
                                            const auto image = weak.lock();
                                            if (!image) return cudaErrorInvalidResourceHandle;
                                            return image->codeOf(entry);
                                          });
  }
}

DividedImage::~DividedImage() {
  for (const hw_kernel *name : names_) Registry::process().removeKernelOnDemand(name);
}

Expected<const hw_kernel *> DividedImage::codeOf(Entry &entry) const {
  MutexLock lock(entry.mutex);
  if (!entry.part) {
    auto part = loadPart(parts_.kernelPart(entry.name));
    if (!part.ok()) return part.status();
    entry.part = *std::move(part);
  }
  const hw_kernel *code = entry.part->kernel(entry.name);
  return code ? Expected<const hw_kernel *>(code) : cudaErrorSymbolNotFound;
}

// loadPart() tells the part where the variables are that it borrows.
Expected<std::shared_ptr<LoadedImage>> DividedImage::loadPart(const PtxParts::Part &part) const {
  auto image = compileAndLoad(part.text, capability_, form_);
  if (!image.ok()) return image;
  for (const std::string &name : part.borrowed) {
    const hw_variable *pointer = (*image)->variable(PtxParts::borrowedName(name)), *own = variables_->variable(name);
    if (!pointer || !own) return Status(cudaErrorSymbolNotFound, "a part of the module lacks the variable " + name);
    std::memcpy(pointer->address, &own->address, sizeof own->address);
  }
  return image;
}

const hw_kernel *DividedImage::kernel(std::string_view name) const {
  const auto found = entries_.find(name);
  return found == entries_.end() ? nullptr : &found->second->handle;
}

}  // namespace hostwarp::modules
