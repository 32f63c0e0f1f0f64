#include "emu_runtime/module/loaded_image.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <map>

#include "emu_runtime/module/device_variables.h"
#include "emu_runtime/module/divided_image.h"
#include "emu_runtime/module/image_bytes.h"
#include "emu_runtime/module/other_builds.h"
#include "emu_runtime/module/ptx_parts.h"
#include "emu_runtime/module/registry.h"

namespace hostwarp::modules {

namespace {

bool writeAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

// fileOf() puts the bytes into a file without a name.
Expected<int> fileOf(std::string_view bytes) {
  const int file = memfd_create("hostwarp-image", MFD_CLOEXEC);
  if (file < 0) return cudaErrorOperatingSystem;
  if (writeAll(file, bytes)) return file;
  close(file);
  return cudaErrorMemoryAllocation;
}

// The words a program finds in its log of errors are CUDA's.
const Status tooNew(cudaErrorInvalidPtx,
                    "ptxas fatal   : SM version specified by .target is higher than default SM version assumed");

}  // namespace

Expected<OpenedImage> openImage(std::string_view bytes) {
  const auto file = fileOf(bytes);
  if (!file.ok()) return file.status();
  // The dynamic linker keeps the name, by which debuggers open the file from outside: not by "self".
  const std::string path = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(*file);
  const Registry::LoadingImage scope;
  void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  link_map *map = nullptr;
  if (handle && dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0)
    return OpenedImage{handle, *file,
                       reinterpret_cast<const void *>(map->l_addr)};  // NOLINT(performance-no-int-to-ptr)
  const std::string reason = dlerror();
  close(*file);
  return Status(cudaErrorInvalidKernelImage, "the image cannot be loaded: " + reason);
}

Expected<std::shared_ptr<LoadedImage>> LoadedImage::load(std::string_view content, int capability) {
  auto found = findImage(content, capability);
  if (!found.ok()) return found.status();
  capability = std::max(capability, found->architecture);
  const Form form = formOf(content);
  if (found->kind == Image::Kind::Ptx && isLarge(found->bytes)) {
    auto divided = DividedImage::load(found->bytes, capability, form);
    if (!divided.ok() || *divided) return divided;
  }
  const auto bytes = loadable(*std::move(found));
  return bytes.ok() ? WholeImage::load(*bytes, capability, form) : bytes.status();
}

Expected<std::shared_ptr<LoadedImage>> WholeImage::load(std::string_view bytes, int capability, Form form) {
  auto image = open(bytes, capability, form);
  if (!image.ok()) return image.status();
  if (!wantsOtherBuild()) return std::shared_ptr<LoadedImage>(*std::move(image));
  const std::vector<const hw_image *> &images = (*image)->images_;
  const auto build = makeOtherBuild(images, Managed::Own);
  if (!build.ok()) {
    tellOfMissingBuild(images, build.status());
    return std::shared_ptr<LoadedImage>(*std::move(image));
  }
  auto other = open(*build, capability, form);
  return other.ok() ? Expected<std::shared_ptr<LoadedImage>>(*std::move(other)) : other.status();
}

Expected<std::shared_ptr<WholeImage>> WholeImage::open(std::string_view bytes, int capability, Form form) {
  const auto opened = openImage(bytes);
  if (!opened.ok()) return opened.status();
  std::shared_ptr<WholeImage> image(new WholeImage(*opened));
  HOSTWARP_TRY(image->claim(capability, form));
  return image;
}

Status WholeImage::claim(int capability, Form form) {
  const std::vector<const hw_image *> all = Registry::process().claimImages(opened_.object, form);
  if (all.empty())
    return {cudaErrorInvalidKernelImage, "the image has no device code in it that this version of hostwarp can run"};
  HOSTWARP_TRY(choose(all, capability, form));
  for (const hw_image *image : images_) {
    for (uint64_t i = 0; i < image->kernelCount; ++i) {
      kernels_.push_back(&image->kernels[i]);
      Registry::process().addLoadedKernel(&image->kernels[i]);
    }
  }
  return {};
}

// choose() takes of each source the image that fits best. The variables of the others are not registered.
Status WholeImage::choose(const std::vector<const hw_image *> &all, int capability, Form form) {
  std::map<uint64_t, std::vector<const hw_image *>> sources;
  for (const hw_image *image : all) sources[image->id].push_back(image);
  for (const auto &[id, images] : sources) {
    const hw_image *chosen = imageFor(images, capability, form);
    if (!chosen) {
      images_ = all;
      return form == Form::Ptx ? tooNew
                               : Status(cudaErrorNoKernelImageForDevice, "the image is for " + namesOf(images));
    }
    images_.push_back(chosen);
  }
  for (const hw_image *image : all)
    if (std::ranges::find(images_, image) == images_.end()) forgetVariables(*image);
  return {};
}

WholeImage::~WholeImage() {
  Registry::process().removeImages(opened_.object);
  for (const hw_image *image : images_) forgetVariables(*image);
  dlclose(opened_.handle);
  close(opened_.file);
}

const hw_kernel *WholeImage::kernel(std::string_view name) const {
  for (const hw_kernel *kernel : kernels_) {
    if (name == kernel->name) return kernel;
  }
  return nullptr;
}

// A static variable of the global name space has a mangled name for clang and a plain one for nvcc.
const hw_variable *WholeImage::variable(std::string_view name) const {
  if (name.empty()) return nullptr;  // so have literals
  const std::string staticName = "_ZL" + std::to_string(name.size()) + std::string(name);
  for (const hw_image *image : images_) {
    for (uint64_t i = 0; i < image->variableCount; ++i) {
      const std::string_view known = image->variables[i].name;
      if (known == name || known == staticName) return &image->variables[i];
    }
  }
  return nullptr;
}

}  // namespace hostwarp::modules
